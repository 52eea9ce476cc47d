"""The page's section on digits, on made-up cells."""

import json
import re
from pathlib import Path

import pytest

import digits
from conftest import write_digits, write_pill
from report_test import Page, run_report

PAGE = Path(__file__).parent / "page"


def part_of(out):
    """What the page shows when the part is unfolded."""
    name, text = re.fullmatch(r"skinlightBody\((\S+), (.*)\);\n", (out / "page/digits.js").read_text(encoding="utf-8")).groups()
    assert f'id={name} data-script="page/digits.js"' in (out / "index.html").read_text(encoding="utf-8")
    return json.loads(text)


def section(out, tmp_path, today=(), record=()):
    """Of cells {id: (median, worst 1 %)} against those of a record, whose best is .5 above where the why says so."""
    write_digits(out, dict(today))
    file = tmp_path / "record.json"
    file.write_text(json.dumps({"cells": [
        {"id": name, "p50": p50, "p01": p01, "why": why, "best": [p50 + .5 * (why == "cheaper"), p01],
         "worst": ["far#7"], "worst_mean": 1.5} for name, (p50, p01, why) in dict(record).items()]}), encoding="utf-8")
    return digits.section(out, file)


def test_without_cells_the_page_says_how_to_measure_them(out):
    write_pill(out)
    assert run_report(out).returncode == 0
    assert "skinlight stability check --json OUT_DIR/stability.json" in Page(out).text
    assert not (out / "page/digits.js").exists() and digits.section(out) is None


def test_the_page_tells_who_measured_what_and_the_rest_comes_when_unfolded(out):
    write_pill(out)
    write_digits(out)
    assert run_report(out).returncode == 0
    page = Page(out)
    for words in ("made-up compiler", "-O7", "9.9.9", "None lost digits", "7.2 digits at the median, 4e-6°", "leaves 5.9 there"):
        assert words in page.text
    assert "heat7" not in page.html and 'class="heat7">7.2</td>' in part_of(out)


def test_lost_digits_are_on_the_page_itself(out):
    write_pill(out)
    write_digits(out, losses=[{"id": "lbs-deform/far/float", "says": "2.00 digits <at> the median"}])
    assert run_report(out).returncode == 0
    assert "1 lost digits against the record: lbs-deform/far/float: 2.00 digits <at> the median" in Page(out).text
    assert "None lost" not in Page(out).text


def test_heat_maps_are_kernels_by_regimes_with_holes_and_without_other_quantities(out, tmp_path):
    maps = section(out, tmp_path, {"a/near/float": (7.9, 6.04), "b/far/float": (-.5, 12), "a:tangents/far/float": (1, 1),
                                   "a/near/half": (3.6, 3)})["maps"]
    median, worst, half = maps
    assert median["regimes"] == ["near", "far"] and [row["kernel"] for row in median["rows"]] == ["a", "b"]
    assert median["rows"][0]["cells"] == [{"text": "7.9", "shade": 7}, None]
    assert median["rows"][1]["cells"] == [None, {"text": "-0.5", "shade": 0}]
    assert worst["rows"][0]["cells"][0] == {"text": "6.0", "shade": 6} and worst["rows"][1]["cells"][1]["shade"] == 7
    # Half precision has four digits, so that each shade is half of one.
    assert half["rows"][0]["cells"] == [{"text": "3.6", "shade": 7}] and half["legend"][1]["text"] == "0.5"


def test_the_worst_regime_of_each_kernel_comes_with_its_input_on_record(out, tmp_path):
    shown = section(out, tmp_path, {"a/near/float": (7, 6), "a/far/float": (5, 2.125), "a+clamp/far/float": (1, 1),
                                    "a/far/half": (1, 0), "b/near/float": (7, 6.5)}, {"a/far/float": (5, 2, "")})
    assert shown["worst"] == [["a", "far: far away", "5.00", "2.12", "1.50", "far#7"],
                              ["b", "near: at the origin", "7.00", "6.50", "–", "–"]]


def test_drift_is_from_the_best_ever_the_farthest_first(out, tmp_path):
    shown = section(out, tmp_path, {"a/near/float": (6.5, 6), "b/near/float": (7, 5), "c/near/float": (7, 6)},
                    {"a/near/float": (6.6, 6, "cheaper"), "b/near/float": (7, 5.25, "first"), "c/near/float": (7.01, 6, "first")})
    assert shown["drift"]["count"] == 2
    assert shown["drift"]["rows"] == [["a/near/float", "median", "7.10", "6.60", "6.50", "cheaper"],
                                      ["b/near/float", "worst 1 %", "5.25", "5.25", "5.00", "first"]]
    assert shown["apart"] == {"digits": "0.100", "cell": "a/near/float"}


def test_a_single_file_holds_the_section_too(out):
    write_pill(out)
    write_digits(out)
    assert run_report(out, "--single-file").returncode == 0
    assert "Where each kernel is worst" in Page(out).text and "data-script=\"page/digits" not in Page(out).html


@pytest.mark.parametrize("text, message", [("{", "line 1: is not JSON"), ('{"schema": 7}', "has the schema 7, not 1"),
                                           ('{"schema": 1, "cells": 3}', "is not what `skinlight stability check --json` writes"),
                                           ("[]", "is not what `skinlight stability check --json` writes")])
def test_files_that_are_no_cells_are_named(out, text, message):
    write_pill(out)
    (out / "stability.json").write_text(text, encoding="utf-8")
    result = run_report(out)
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith(f"{out / 'stability.json'}: ") and message in result.stderr


def test_every_shade_has_a_colour():
    css = (PAGE / "style.css").read_text(encoding="utf-8")
    assert {int(n) for n in re.findall(r"\.heat(\d) \{ background", css)} == set(range(digits.SHADES))
