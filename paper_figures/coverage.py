"""Which statements of the papers are covered by which claims: repro/coverage.json."""

from pathlib import Path

from common import InputError, read_json

TABLE = Path(__file__).parent.parent / "repro" / "coverage.json"
# full: the claims say all of it; part: `note` tells what they leave out; named: neither computed nor drawn here, and why;
# open: no claim yet.
STATUSES = ("full", "part", "named", "open")
FIELDS = {"seed", "place", "statement", "covered_by", "status", "note"}


def load_coverage(path=TABLE):
    """The checked table: a list of statements, each with `covered_by`, a list of experiments and their claims."""
    table = read_json(path)
    statements = table.get("statements") if isinstance(table, dict) else None
    if not isinstance(statements, list):
        raise InputError(path, "must be a list", "statements")
    for i, row in enumerate(statements):
        where = f"statements[{i}]"
        if not isinstance(row, dict) or set(row) != FIELDS:
            raise InputError(path, f"must have the fields {', '.join(sorted(FIELDS))}", where)
        if row["seed"] not in table["seeds"]:
            raise InputError(path, f"'{row['seed']}' is not one of {', '.join(table['seeds'])}", f"{where}.seed")
        if row["status"] not in STATUSES:
            raise InputError(path, f"must be one of {', '.join(STATUSES)}", f"{where}.status")
        if bool(row["covered_by"]) != (row["status"] in ("full", "part")):
            raise InputError(path, "must name claims just where it says full or part", f"{where}.covered_by")
        if row["status"] in ("part", "named") and not row["note"]:
            raise InputError(path, "must say what is left out", f"{where}.note")
    return statements


def summary(statements):
    """One sentence."""
    count = {status: sum(row["status"] == status for row in statements) for status in STATUSES}
    words = (f"Of {len(statements)} statements of the papers {count['full']} are covered by machine-checked claims and "
             f"{count['part']} in part")
    rest = [f"{count[status]} {'is' if count[status] == 1 else 'are'} {what}"
            for status, what in (("named", "named only"), ("open", "open")) if count[status]]
    return words + "".join(f"; {word}" for word in rest) + "."
