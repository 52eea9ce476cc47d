"""The runs of a reproduction: every OUT_DIR/<id>/run.json, its claims, and their numbers as words."""

from common import InputError, VERDICTS, load_run

BOUND_SIGNS = {"within": "", "at_most": "≤ ", "at_least": "≥ "}
KINDS = {"printed": "numbers that the papers print", "statement": "statements of the papers", "own": "our own results"}
KIND_WORDS = {"printed": "printed number", "statement": "statement of the paper", "own": "own result"}


def load_runs(out_dir):
    """All run.json below `out_dir`, in the project's order. The id must be the folder's place below `out_dir`."""
    runs = []
    for path in sorted(out_dir.rglob("run.json")):
        run = load_run(path.parent)
        place = path.parent.relative_to(out_dir).as_posix()
        if run["id"] != place:
            raise InputError(path, f"is '{run['id']}', but the folder says '{place}'", "id")
        runs.append(run)
    if not runs:
        raise InputError(out_dir, "holds no run.json: run 'skinlight reproduce' first")
    return sorted(runs, key=lambda run: (run.get("order", 0), run["id"]))


def was_run(run):
    return "not_run" not in run


def all_claims(runs):
    return [(run, claim) for run in runs if was_run(run) for claim in run["claims"]]


def count_verdicts(runs):
    counts = dict.fromkeys(VERDICTS, 0)
    for _, claim in all_claims(runs):
        counts[claim["verdict"]] += 1
    return counts


def number(value):
    """Four significant digits, '1.2e-9' for the tiny, a dash for a value that does not exist."""
    if value is None:
        return "–"
    text = f"{value:.4g}"
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else text


def expected(claim):
    if claim["expected"] is None:
        return "–"
    return BOUND_SIGNS[claim["bound"]] + number(claim["expected"])


def tolerance(claim):
    if not claim["tolerance"]:
        return "–"
    return ("± " if claim["bound"] == "within" else "") + number(claim["tolerance"])


def measured(claim):
    return "not a number" if claim["value"] is None else number(claim["value"])
