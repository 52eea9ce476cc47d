"""The advice on made-up tables whose means are known, and what the page says of it."""

import csv
import re

import pytest

import guidance
import report
from common import InputError
from conftest import make_run, unrun, write_run

METRICS = ("rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,p99_deg,max_deg,"
           "flips").split(",")


def write_csv(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def metric(rig, family, vertices, method, truth, mean):
    return [rig, family, 0, vertices, "pose", method, truth, "deformed area", mean, *[99] * 4, 0]


def model_metrics(means):
    """Two models of one and of three clips: `means` is the mean of their means, and no mean of all clips. Another
    truth and a tube must not count."""
    rows = [METRICS]
    for method, mean in means.items():
        rows.append(metric("fox", "model", 9, method, "transported", mean - 0.5))
        rows += [metric("wolf", "model", 9, method, "transported", mean + 0.5 + d) for d in (-0.25, 0, 0.25)]
        rows.append(metric("fox", "model", 9, method, "recomputed", 77))
        rows.append(metric("cylinder_12", "cylinder", 9, method, "transported", 77))
    return rows


def write_all(out):
    """Every experiment that the advice reads."""
    for name in guidance.SOURCES:
        write_run(out, make_run(id=name, title=f"Title of {name}", outputs=[]))
    write_csv(out / guidance.COARSE / "summary.csv",
              [["model", "truth", "standard", "deform", "smoothed", "vectors", "vectors_fitted"],
               ["fox", "transported", 4, 3, 2, 1, 0.5], ["fox", "recomputed", 77, 77, 77, 77, 77],
               ["wolf", "transported", 6, 4, 3, 1.5, 0.75]])
    write_csv(out / guidance.COARSE / "cost.csv",
              [["mode", "slots", "operations", "bytes_f32", "bytes_f16", "bytes_snorm8"],
               ["standard", 4, 801, 0, 0, 0], ["deform", 4, 802, 201, 202, 203], ["smoothed", 4, 803, 301, 302, 303],
               ["deform-vectors", 4, 804, 401, 402, 403], ["deform-vectors", 6, 806, 601, 602, 603]])
    rows = [METRICS]
    for method, mean in (("standard", 8), ("deform", 0.25), ("vectors", 0.375)):
        for vertices, factor in ((999, 10), (1000, 1), (5000, 0.1)):
            rows.append(metric("t", "structured", vertices, method, "analytic", mean * factor))
        rows.append(metric("t", "jittered", 1000, method, "analytic", 77))
        rows.append(metric("t", "structured", 1000, method, "transported", 77))
    write_csv(out / guidance.REFINEMENT / "metrics.csv", rows)
    write_csv(out / guidance.SLOTS / "metrics.csv", model_metrics({"deform/4": 3.25, "unfitted/6": 1.25}))
    write_csv(out / guidance.QUANTISED / "metrics.csv",
              model_metrics({"standard": 5.5, "deform/f32": 3.5, "deform-vectors/snorm8": 1.5}))
    table = [["method", "normals", "influences", "operations"], ["dqs", "standard", 3, 1]]
    for place, method in enumerate(("dqs", "crs", "sbs", "log")):
        table += [[method, normals, 4, 500 + 10 * place + extra]
                  for extra, normals in enumerate(("standard", "exact", "smoothed"))]
    write_csv(out / guidance.COSTS / "operations.csv", table)
    table = [["method", "normals", "slots", "operations", "bytes", "format", "mean_deg"],
             ["dqs", "paper", 4, 900, 1, "f32", 41]]
    for place, (method, _, normals) in enumerate(guidance.FRAMES):
        table += [[method, "standard", 4, 900 + place, 0, "f32", 42 + place],
                  [method, normals, 5, 910 + place, 96 + place, "f32", 0.5 + place]]
    write_csv(out / guidance.NONLINEAR / "cost.csv", table)
    prefixes = {"beyond/exact_dqs": [""], "beyond/exact_crs": [""], "beyond/exact_sbs_log": ["sbs-", "log-"]}
    for number, (name, names) in enumerate(prefixes.items()):
        table, means = [["body", "motion", "method", "mean_deg"]], {}
        for place, prefix in enumerate(names):
            base = 10 * (number + 1) + 5 * place
            for motion, shift in (("bend_60", 50), ("bend_90", 0)):
                table += [["tube", motion, f"{prefix}standard", base + shift + 1],
                          ["tube", motion, "paper", base + shift + 0.5],
                          ["tube", motion, f"{prefix}exact", 3e-14 + shift]]
            table.append(["cuboid", "bend_90", f"{prefix}standard", 77])
            means |= {f"{prefix}standard": base + 3, "paper": base + 2, f"{prefix}smoothed": base + 1}
        write_csv(out / name / "errors.csv", table)
        write_csv(out / name / "metrics.csv", model_metrics(means))


def numbers(out, ran=guidance.SOURCES):
    return [(row.standard, row.paper, row.advised, row.before, row.operations, row.bytes)
            for row in guidance.advice(out, ran)]


def test_every_number_is_that_of_the_tables(out):
    write_all(out)
    assert numbers(out) == [
        (8, 0.25, 0.25, 801, 802, "201 (202 in 16 bits)"),
        (5, 3.5, 2.5, 801, 803, "301 (302 in 16 bits)"),
        (5, 3.5, 1.25, 801, 804, "401 (402 in 16 bits)"),
        (5, 3.5, 0.625, 801, 804, "401 (402 in 16 bits)"),
        (None, 3.25, 1.25, 801, 806, "601 (602 in 16 bits)"),
        (5.5, 3.5, 1.5, 801, 804, "403"),
        (11, 10.5, 3e-14, 500, 501, "201"), (13, 12, 11, 500, 502, "301"),
        (21, None, 3e-14, 510, 511, None), (23, None, 21, 510, 512, None),
        (31, None, 3e-14, 520, 521, "201"), (33, None, 31, 520, 522, "301"),
        (36, None, 3e-14, 530, 531, "201"), (38, None, 36, 530, 532, "301"),
        (42, 41, 0.5, 900, 910, "96"), (43, None, 1.5, 901, 911, "97"),
        (44, None, 2.5, 902, 912, "98"), (45, None, 3.5, 903, 913, "99")]


def test_words_say_on_what_it_was_measured(out):
    write_all(out)
    rows = guidance.advice(out, guidance.SOURCES)
    assert rows[0].measured.startswith("bent tube of 1,000 vertices") and "deform vectors: 0.38°" in rows[0].measured
    assert rows[1].measured.startswith("2 animated models")
    assert [row.source for row in rows] == [guidance.REFINEMENT] + 3 * [guidance.COARSE] + [
        guidance.SLOTS, guidance.QUANTISED] + 2 * ["beyond/exact_dqs"] + 2 * ["beyond/exact_crs"] + 4 * [
        "beyond/exact_sbs_log"] + 4 * [guidance.NONLINEAR]


def test_rows_of_what_was_not_run_are_left_out(out):
    write_all(out)
    assert numbers(out, []) == []
    assert len(numbers(out, [guidance.COARSE])) == 3
    # No table of costs: errors stay.
    assert numbers(out, [guidance.REFINEMENT]) == [(8, 0.25, 0.25, None, None, None)]
    assert numbers(out, ["beyond/exact_dqs"])[0] == (11, 10.5, 3e-14, None, None, None)


def test_without_models_the_tube_stays(out):
    write_all(out)
    path = out / "beyond/exact_crs/metrics.csv"
    path.write_text("".join(line for line in path.read_text().splitlines(True) if ",model," not in line))
    assert numbers(out, ["beyond/exact_crs"]) == [(21, None, 3e-14, None, None, None)]


@pytest.mark.parametrize("name, file, row, message", [
    (guidance.COARSE, "cost.csv", "smoothed,4", "smoothed, 4: has no such row"),
    (guidance.COARSE, "summary.csv", ",transported", "summary.csv: transported: has no such row"),
    (guidance.REFINEMENT, "metrics.csv", "vectors,analytic", "analytic, vectors, 1000: has no such row"),
    (guidance.QUANTISED, "metrics.csv", "snorm8", "model, deform-vectors/snorm8, transported: has no such row"),
    (guidance.COSTS, "operations.csv", "dqs,exact", "dqs, exact, 4: has no such row"),
    (guidance.NONLINEAR, "cost.csv", "crs,frames-fitted", "crs, frames-fitted: has no such row"),
    ("beyond/exact_sbs_log", "errors.csv", "log-exact", "tube, bend_90, log-exact: has no such row")])
def test_a_missing_row_is_named(out, name, file, row, message):
    write_all(out)
    path = out / name / file
    lines = path.read_text().splitlines(True)
    path.write_text("".join(line for line in lines
                            if row not in line.replace("t,structured,0,1000,pose,", "")))
    with pytest.raises(InputError, match=re.escape(message)):
        guidance.advice(out, guidance.SOURCES)


@pytest.mark.parametrize("value, text", [(None, "–"), (3e-14, "0°"), (0.0023, "0.0023°"), (2.345, "2.3°"),
                                         (9.96, "10°"), (23.4, "23°")])
def test_degrees_read_well(value, text):
    assert guidance.degrees(value) == text


def page_text(out):
    assert report.report(out) == 0
    html = (out / "index.html").read_text(encoding="utf-8")
    section = html[html.index('id="which-normals"'):html.index('class="source"')]
    return html, section


def test_page_shows_the_advice_above_the_experiments(out, capsys):
    write_all(out)
    html, section = page_text(out)
    assert section.count("<tr>") == 19
    for part in ("<b>smooth weights</b>", "<b>2.5°</b>", "801 → 804", "401 (402 in 16 bits)", "500 → 501", "530 → 532",
                 'href="#beyond-slots"', "Centres of rotation (CRS), coarse mesh"):
        assert part in section
    assert "Not run" not in section and '<a href="#which-normals">' in html


def test_page_names_what_was_not_run(out, capsys):
    write_all(out)
    write_run(out, unrun(guidance.COARSE, "no models"))
    _, section = page_text(out)
    assert f"numbers are missing: <code>{guidance.COARSE}</code>." in section
    assert "smooth weights" not in section.replace("at smooth weights", "")


def test_page_without_any_of_it_says_so(out, capsys):
    write_run(out, make_run(outputs=[]))
    _, section = page_text(out)
    assert "<table" not in section
    assert section.count("<code>") == len(guidance.SOURCES) and "none of them run" in section
