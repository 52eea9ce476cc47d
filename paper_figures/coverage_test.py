"""The table of statements against the claims that exist: both ways."""

import json
from pathlib import Path

import pytest

import coverage
from common import InputError
from runs import first_sentence

REPRO = Path(coverage.__file__).parent.parent / "repro"
NAMED_ONLY = 5  # statements of the papers that may stay without experiment


def claims():
    """{(experiment, name): kind} of every claim of repro/<paper>/<stem>.claims.json."""
    found = {}
    for path in REPRO.glob("*/*.claims.json"):
        experiment = f"{path.parent.name}/{path.name.removesuffix('.claims.json')}"
        for claim in json.loads(path.read_text(encoding="utf-8"))["claims"]:
            found[experiment, claim["name"]] = claim["kind"]
    return found


def test_every_claim_about_a_paper_stands_under_a_statement():
    named = {(where["experiment"], name) for row in coverage.load_coverage() for where in row["covered_by"]
             for name in where["claims"]}
    existing = claims()
    assert len(existing) > 100
    assert sorted(named - set(existing)) == []
    assert sorted(claim for claim, kind in existing.items() if kind != "own" and claim not in named) == []


def test_what_does_not_hold_is_told_plainly_in_one_sentence():
    told = 0
    for path in REPRO.glob("*/*.claims.json"):
        table = json.loads(path.read_text(encoding="utf-8"))
        for claim in table["claims"]:
            for row in claim.get("each", [{}]):
                whole = {**claim, **row}
                if whole["verdict"] == "reproduced":
                    continue
                for name, text in table.get("words", {}).items():
                    whole["why"] = whole["why"].replace(f"{{{name}}}", text)
                sentence = first_sentence(whole["why"])
                assert 20 < len(sentence) < 190 and sentence.endswith("."), (path.name, claim["name"], sentence)
                assert "(see" not in sentence, (path.name, claim["name"], sentence)
                told += 1
    assert told > 30


def test_statements_are_told_once_and_few_are_named_only():
    statements = coverage.load_coverage()
    told = [(row["seed"], row["place"], row["statement"]) for row in statements]
    assert len(set(told)) == len(told)
    assert sum(row["status"] == "named" for row in statements) <= NAMED_ONLY
    for row in statements:
        assert row["statement"].endswith(".") and row["place"]
        assert all(where["claims"] for where in row["covered_by"])


ROW = {"seed": "a", "place": "Sec. 1", "statement": "S.", "covered_by": [], "status": "open", "note": ""}


@pytest.mark.parametrize("change, message", [
    ({"seed": "b"}, "statements[0].seed: 'b' is not one of a"),
    ({"status": "done"}, "statements[0].status: must be one of"),
    ({"status": "full"}, "statements[0].covered_by: must name claims"),
    ({"covered_by": [{"experiment": "a/b", "claims": ["c"]}]}, "statements[0].covered_by: must name claims"),
    ({"status": "named"}, "statements[0].note: must say"),
    ({"more": 1}, "statements[0]: must have the fields")])
def test_bad_rows_are_named(tmp_path, change, message):
    path = tmp_path / "coverage.json"
    path.write_text(json.dumps({"seeds": {"a": "A"}, "statements": [{**ROW, **change}]}))
    with pytest.raises(InputError) as error:
        coverage.load_coverage(path)
    assert message in str(error.value)


def test_the_summary_counts():
    rows = [{**ROW, "status": status} for status in ("full", "full", "part", "named", "open", "open", "open")]
    assert coverage.summary(rows) == ("Of 7 statements of the papers 2 are covered by machine-checked claims and 1 in "
                                      "part; 1 is named only; 3 are open.")


def test_no_statement_is_open_and_the_readme_counts_them():
    statements = coverage.load_coverage()
    count = {status: sum(row["status"] == status for row in statements) for status in coverage.STATUSES}
    assert count["open"] == 0
    readme = " ".join((REPRO.parent / "README.md").read_text(encoding="utf-8").split())
    assert (f"lists {len(statements)} statements of the papers: {count['full']} are covered by machine-checked claims, "
            f"{count['part']} in part") in readme
