"""ci/swaps.sh: what it exchanges, which claims it counts, and the reasons that are listed."""
import json
import os
import re
import sys
from pathlib import Path

import pytest

CI = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, CI)
from swaps import run as swaps  # noqa: E402

REPRO = Path(CI).parent / "repro"

RIGHT = {"better": (0.2, "reproduced"), "loose": (3.0, "reproduced"), "untouched": (1.0, "deviates"), "seconds": (7.0, "reproduced")}
ROWS = {"lbs/standard", "lbs/deform"}


@pytest.fixture
def experiment(monkeypatch):
    """An experiment whose runs are made up: what each swap makes of its claims."""
    wrong = {"lbs/deform -> lbs/standard": {"better": (1.0, "failed"), "loose": (4.0, "reproduced"),
                                            "untouched": (1.0, "deviates"), "seconds": (8.0, "reproduced")},
             "lbs/standard -> lbs/deform": RIGHT, "lbs -> dqs": RIGHT}

    def run(_, name, swap):
        return wrong.get(name, RIGHT)

    monkeypatch.setattr(swaps, "run", run)
    monkeypatch.setattr(swaps, "right", lambda _: (RIGHT, {"seconds"}, ROWS))
    return swaps.judged("paper/figure")


def test_every_row_and_every_method_is_exchanged():
    found = swaps.swaps_of({"lbs/standard", "lbs/smoothed", "dqs/standard"})
    assert found == {"lbs/standard -> lbs/deform": "lbs/standard=lbs/deform", "lbs/smoothed -> lbs/standard": "lbs/smoothed=lbs/standard",
                     "dqs/standard -> dqs/exact": "dqs/standard=dqs/exact",
                     "lbs -> dqs": "lbs/smoothed=dqs/exact,lbs/standard=dqs/standard", "dqs -> lbs": "dqs/standard=lbs/standard"}


def test_a_claim_that_moves_and_does_not_fail_passes(experiment):
    rows, times = experiment
    assert times == 1
    assert swaps.survivors(rows) == {("paper/figure", "loose"): ["lbs/deform -> lbs/standard"]}


def test_a_claim_that_one_swap_turns_red_does_not_pass():
    rows = [{"experiment": "paper/figure", "claim": "better", "swap": swap, "passes": passes}
            for swap, passes in (("a -> b", True), ("c -> d", False))]
    assert swaps.survivors(rows) == {}


def test_claims_that_do_not_move_or_move_by_themselves_are_not_counted(experiment):
    rows, _ = experiment
    assert {row["claim"] for row in rows} == {"better", "loose"}


def test_a_swap_that_stops_the_run_is_noticed_by_every_claim(monkeypatch):
    monkeypatch.setattr(swaps, "right", lambda _: (RIGHT, set(), ROWS))
    monkeypatch.setattr(swaps, "run", lambda *_: "no such normals")
    rows, _ = swaps.judged("paper/figure")
    stopped = [row for row in rows if "stopped" in row]
    assert {row["claim"] for row in stopped} == set(RIGHT) and not any(row["passes"] for row in stopped)


@pytest.mark.parametrize("listed, code, said", [
    ([], 1, "passes: paper/figure loose with lbs/deform -> lbs/standard"),
    (["loose"], 0, "turn 1 of them red, 1 pass for a reason, 0 without one (1 claims about times left out)"),
    (["loose", "better"], 1, "does not pass any more, but is listed: paper/figure better"),
])
def test_passes_want_a_reason_and_reasons_a_pass(experiment, monkeypatch, tmp_path, capsys, listed, code, said):
    path = tmp_path / "accepted.json"
    path.write_text(json.dumps([{"reason": "Both are right.", "claims": {"paper/figure": listed}}]))
    monkeypatch.setattr(swaps, "ACCEPTED", path)
    monkeypatch.setattr(swaps, "SCRATCH", tmp_path)
    monkeypatch.setattr(swaps, "experiments", lambda: ["paper/figure"])
    monkeypatch.setattr(sys, "argv", ["run.py"])
    assert swaps.main() == code
    assert said in capsys.readouterr().out


def test_an_unknown_experiment_is_named(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["run.py", "tarini2014/fig2_pil"])
    with pytest.raises(swaps.BadInput, match="no experiment 'tarini2014/fig2_pil'; the nearest is 'tarini2014/fig2_pill'"):
        swaps.main()


def test_listed_reasons_are_sentences_about_claims_that_exist():
    with open(swaps.ACCEPTED, encoding="utf-8") as file:
        groups = json.load(file)
    known = set(swaps.experiments())
    keys = []
    for group in groups:
        assert set(group) == {"reason", "claims"} and group["reason"].endswith(".") and group["claims"]
        for experiment, claims in group["claims"].items():
            assert experiment in known and claims
            words = "".join(path.read_text(encoding="utf-8") for path in (
                REPRO / "common.claims.json", REPRO / f"{experiment}.claims.json"))
            for claim in claims:
                assert re.search(rf'"name": "({re.escape(claim)}|[^"]*\{{[^"]*)"', words), claim
                keys.append((experiment, claim))
    assert len(keys) == len(set(keys))


def test_values_move_by_more_than_rounding():
    assert not swaps.moved(6.5e-16, 0.0) and not swaps.moved(5.4334749789622, 5.4334749789621934) and not swaps.moved(None, None)
    assert swaps.moved(1e-7, 2e-7) and swaps.moved(1.0, None) and swaps.moved(0.0, 1.0)
