"""How many digits of the normals are right, as the page shows it: today's cells of `skinlight stability check --json`,
OUT_DIR/stability.json, beside the record, golden/stability.json.
"""

import math
from dataclasses import dataclass
from pathlib import Path

from common import InputError, read_json
from runs import number

RECORD = Path(__file__).resolve().parents[1] / "golden" / "stability.json"
TODAY = "stability.json"
SCHEMA = 1
SHADES = 8
MEDIAN, WORST = "p50", "p01"
# Heat maps: scalar, which number, the digits that the last shade begins below, what it shows.
MAPS = [("float", MEDIAN, 8, "Floats, the median"),
        ("float", WORST, 8, "Floats, the worst 1 %"),
        ("vulkan", WORST, 8, "Budget of graphics processors: the worst 1 % on any that keeps to the Vulkan specification"),
        ("contracted", MEDIAN, 8, "Fused multiply-adds, the median"),
        ("fast-math", MEDIAN, 8, "Compiled with -ffast-math, the median"),
        ("half", MEDIAN, 4, "Half precision throughout, the median"),
        ("double", WORST, 16, "What comes before and after the kernels, in double: the worst 1 %")]
DRIFT = .05  # digits below the best; less is left by any rewrite that rounds in another order
MOST_ROWS = 20


@dataclass(frozen=True)
class Cell:
    kernel: str
    quantity: str  # "" are normals
    regime: str
    scalar: str
    digits: dict  # MEDIAN, WORST


def cell_of(entry):
    kernel, regime, scalar = entry["id"].split("/")
    name, _, quantity = kernel.partition(":")
    return Cell(name, quantity, regime, scalar, {which: float(entry[which]) for which in (MEDIAN, WORST)})


def read_today(path):
    """What was measured, with `cells` by their ids."""
    today = read_json(path)
    try:
        if today["schema"] != SCHEMA:
            raise InputError(path, f"has the schema {today['schema']}, not {SCHEMA}: measure again with this version's program")
        found = {key: today[key] for key in ("machine", "flags", "version", "cases", "regimes", "losses")}
        return {**found, "cells": {entry["id"]: cell_of(entry) for entry in today["cells"]}}
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(path, "is not what `skinlight stability check --json` writes") from None


def section(out_dir, record_file=RECORD):
    """What page/digits.html and page/digits_part.html are given; None without today's cells."""
    path = out_dir / TODAY
    if not path.exists():
        return None
    today = read_today(path)
    record = {entry["id"]: entry for entry in read_json(record_file)["cells"]}
    return {"count": f"{len(today['cells']):,}", "cases": f"{today['cases']:,}", "machine": today["machine"], "flags": today["flags"],
            "version": today["version"], "losses": [f"{loss['id']}: {loss['says']}" for loss in today["losses"]],
            "example": example(today["cells"]), "maps": maps(today), "worst": worst_regimes(today, record),
            "drift": drift(today["cells"], record), "apart": apart(today["cells"], record), "regimes": today["regimes"]}


def degrees(digits):
    """An angle of so many digits, "1.2e-5"."""
    return number(float(f"{math.degrees(10 ** -digits):.1g}"))


def example(cells):
    """Of the paper's normals on inputs as games have them; None when these were not measured."""
    one, budget = (cells.get(f"lbs-deform/characters/{scalar}") for scalar in ("float", "vulkan"))
    if not one or not budget:
        return None
    return {"median": f"{one.digits[MEDIAN]:.1f}", "median_degrees": degrees(one.digits[MEDIAN]),
            "worst": f"{one.digits[WORST]:.1f}", "worst_degrees": degrees(one.digits[WORST]),
            "budget": f"{budget.digits[WORST]:.1f}"}


def shade(digits, most):
    return min(max(int(digits * SHADES / most), 0), SHADES - 1)


def maps(today):
    """Kernels by regimes, in the order in which they were measured; cells that do not exist are None."""
    drawn = []
    for scalar, which, most, title in MAPS:
        cells = {(cell.kernel, cell.regime): cell.digits[which]
                 for cell in today["cells"].values() if cell.scalar == scalar and not cell.quantity}
        if not cells:
            continue
        kernels, regimes = (list(dict.fromkeys(key[i] for key in cells)) for i in (0, 1))
        rows = [{"kernel": kernel, "cells": [
            None if (kernel, regime) not in cells else
            {"text": f"{cells[kernel, regime]:.1f}", "shade": shade(cells[kernel, regime], most)} for regime in regimes]}
            for kernel in kernels]
        drawn.append({"title": title, "regimes": regimes, "rows": rows,
                      "legend": [{"shade": i, "text": f"{i * most / SHADES:g}"} for i in range(SHADES)]})
    return drawn


def worst_regimes(today, record):
    """Per kernel without a guard: where floats lose most in the worst 1 %, and the worst input that the record keeps."""
    found = {}
    for name, cell in today["cells"].items():
        if cell.scalar != "float" or cell.quantity or "+" in cell.kernel:
            continue
        if cell.kernel not in found or cell.digits[WORST] < found[cell.kernel][1].digits[WORST]:
            found[cell.kernel] = name, cell
    rows = []
    for kernel, (name, cell) in found.items():
        kept = record.get(name, {})
        inputs = kept.get("worst", [])
        rows.append([kernel, f"{cell.regime}: {today['regimes'].get(cell.regime, '')}", f"{cell.digits[MEDIAN]:.2f}",
                     f"{cell.digits[WORST]:.2f}", f"{kept['worst_mean']:.2f}" if inputs else "–",
                     inputs[0] if inputs else "–"])
    return rows


def drift(cells, record):
    """Cells whose digits lie below the best that they ever had, the farthest first."""
    rows = []
    for name, kept in record.items():
        if name not in cells:
            continue
        for i, (which, words) in enumerate(((MEDIAN, "median"), (WORST, "worst 1 %"))):
            best, now = kept["best"][i], cells[name].digits[which]
            if best - now > DRIFT:
                rows.append((best - now, [name, words, f"{best:.2f}", f"{kept[which]:.2f}", f"{now:.2f}", kept["why"]]))
    rows.sort(key=lambda row: -row[0])
    return {"count": len(rows), "rows": [cells_of_row for _, cells_of_row in rows[:MOST_ROWS]]}


def apart(cells, record):
    """The largest difference of today's medians from the record's, and where; None without common cells."""
    differences = [(abs(cell.digits[MEDIAN] - record[name][MEDIAN]), name) for name, cell in cells.items() if name in record]
    if not differences:
        return None
    largest, name = max(differences)
    return {"digits": f"{largest:.3f}", "cell": name}
