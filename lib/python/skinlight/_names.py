"""Names of the constants of skinlight.h, as the program `skinlight` has them."""

from functools import cache, lru_cache

from . import _core
from ._errors import InputError

_KINDS = {"method": 0, "mode": 1, "guard": 2, "averaging": 3, "record": 4, "layout": 5, "format": 6,
          "missing normals": 7}


@cache
def _names(kind: str) -> tuple[str, ...]:
    return tuple(_core.names(_KINDS[kind]))


def names(kind: str) -> tuple[str, ...]:
    """The names that a "method", "mode", "guard", "averaging", "record", "layout", "format" or "missing normals"
    may have.

    Baked records are called as the normal mode that reads them. Raises InputError for another kind.
    """
    if kind not in _KINDS:
        raise InputError("", "kind", f"{kind!r} is none of {', '.join(_KINDS)}")
    return _names(kind)


@cache
def _numbers(kind: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(names(kind))}


def number(kind: str, name: str) -> int:
    """The constant of a name. Raises InputError listing those that exist."""
    try:
        return _numbers(kind)[name]
    except (KeyError, TypeError):
        raise InputError("", kind, f"{name!r} is none of {', '.join(names(kind))}") from None


def count(what: str, value: int, least: int = 0) -> int:
    """An integer that the interface can hold. Raises InputError about `what`."""
    try:
        whole = value.__index__()
    except AttributeError:
        raise InputError("", what, f"{value!r} is no integer") from None
    if not least <= whole < 2**31:
        raise InputError("", what, f"{whole} is out of range")
    return whole


@lru_cache(maxsize=256)
def _way(method: str, mode: str, guard: str, c: float | None, k: float | None) -> _core.Way:
    if (c is None) != (k is None):
        raise InputError("", "guard", "guard_c and guard_k come together")
    return _core.Way(number("method", method), number("mode", mode), number("guard", guard), c, k)


def way(method: str, mode: str | None, guard: str | None, c: float | None, k: float | None) -> _core.Way:
    try:
        return _way(method, "usual" if mode is None else mode, "none" if guard is None else guard, c, k)
    except TypeError as e:  # what cannot be a key, or no number
        raise InputError("", "method, mode and guard", str(e).splitlines()[0]) from None
