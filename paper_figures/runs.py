"""The runs of a reproduction: every OUT_DIR/<id>/run.json, its claims, and their numbers as words."""

import re

from common import VERDICTS, InputError, load_run

BOUND_SIGNS = {"within": "", "at_most": "≤ ", "at_least": "≥ "}
KINDS = {"printed": "numbers that the papers print", "statement": "statements of the papers", "own": "our own results"}
# In one sentence each: what a reader may conclude from a verdict.
VERDICT_WORDS = {
    "failed": "The value is not where the claim expects it: a mistake of ours.",
    "deviates": "What the paper says or prints does not hold.",
    "differs-by-design": "Ours differs because we chose otherwise, not because the paper errs.",
    "not-run": "Nothing was measured: a model is missing.",
    "reproduced": "The value is where the claim expects it; of an own result this means only that it is unchanged."}
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
    return [(run, claim) for run in runs for claim in run["claims"]]


def count_verdicts(runs):
    counts = dict.fromkeys(VERDICTS, 0)
    for _, claim in all_claims(runs):
        counts[claim["verdict"]] += 1
    return counts


def by_kind(runs):
    """(words for a kind of claim, {verdict: how many}) of the kinds that there are."""
    kinds = [(label, [claim["verdict"] for _, claim in all_claims(runs) if claim["kind"] == kind])
             for kind, label in KINDS.items()]
    return [(label, {verdict: verdicts.count(verdict) for verdict in VERDICTS}) for label, verdicts in kinds if verdicts]


def plain_sentence(claim):
    """What is wrong with a claim that is not reproduced, in one sentence."""
    return f"{claim['not_run']}." if claim["verdict"] == "not-run" else first_sentence(claim["why"])


def first_sentence(text):
    """Up to the first full stop that a capital letter or nothing follows."""
    return re.split(r"(?<=[a-z0-9)\]%][.])\s+(?=[A-Z\[])", text, maxsplit=1)[0]


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
    if claim["value"] is None:
        return "–" if claim["verdict"] == "not-run" else "not a number"
    return number(claim["value"])
