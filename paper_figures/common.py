"""What the figure scripts and the report share: reading out/<id>/ with checks, and writing files whole.

Figures have the same bytes whenever the data are the same: no dates, no version of the writer.
"""

import csv
import io
import json
import math
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

VERDICTS = ("failed", "deviates", "differs-by-design", "not-run", "reproduced")  # what wants attention first
KINDS = ("printed", "statement", "own")
BOUNDS = ("within", "at_most", "at_least")
OUTPUT_KINDS = ("image", "normals", "table", "video", "frames", "live")


class InputError(Exception):
    """A file that cannot be used: one line that names the file, the element and the reason."""

    def __init__(self, path, reason, element=""):
        super().__init__(": ".join(str(part) for part in (path, element, reason) if str(part)))


# ---------------------------------------------------------------------------------------------------------------
# run.json


def read_json(path):
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from None
    except UnicodeDecodeError:
        raise InputError(path, "is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise InputError(path, f"is not JSON: {error.msg}", f"line {error.lineno}") from None


def load_run(folder):
    """The checked contents of `folder`/run.json: what one experiment claims, measured and wrote."""
    path = Path(folder) / "run.json"
    run = read_json(path)
    check = _Checker(path)
    check.object(run, "document")
    for key in ("id", "paper", "title"):
        check.text(run, key)
    if "order" in run:  # its place in the report
        check.number(run, "order")
    for i, claim in enumerate(check.list(run, "claims")):
        _check_claim(check, claim, f"claims[{i}]")
    if "not_run" in run:
        check.text(run, "not_run")
        return run

    check.text(run, "says")
    check.number(run, "seconds")
    renderer = check.required(run, "renderer")
    if renderer is not None:
        check.object(renderer, "renderer")
        check.text(renderer, "name", "renderer.")
        check.text(renderer, "version", "renderer.")
    for i, output in enumerate(check.list(run, "outputs")):
        where = f"outputs[{i}]"
        check.object(output, where)
        check.text(output, "file", where + ".")
        check.text(output, "caption", where + ".")
        check.one_of(output, "kind", OUTPUT_KINDS, where + ".")
    if not all(isinstance(reason, str) for reason in run.get("left_out", [])):
        check.fail("must be a list of texts", "left_out")
    for i, item in enumerate(run.get("attributions", [])):
        where = f"attributions[{i}]"
        check.object(item, where)
        for key in ("model", "attribution", "licence", "source"):
            check.text(item, key, where + ".")
    return run


def _check_claim(check, claim, where):
    check.object(claim, where)
    check.text(claim, "name", where + ".")
    check.one_of(claim, "kind", KINDS, where + ".")
    for key in ("statement", "oracle", "fails_when"):
        check.text(claim, key, where + ".")
    # The writer turns a NaN or infinite measurement into null; that can only be a failure, or nothing was measured.
    for key in ("paper_value", "expected", "value", "tolerance"):
        check.number(claim, key, where + ".", null=key != "tolerance")
    check.one_of(claim, "bound", BOUNDS, where + ".")
    check.one_of(claim, "verdict", VERDICTS, where + ".")
    if claim["value"] is None and claim["verdict"] not in ("failed", "not-run"):
        check.fail(f"is not a number, yet the verdict is '{claim['verdict']}'", where + ".value")
    if claim["verdict"] == "not-run":
        check.text(claim, "not_run", where + ".")
    if not isinstance(claim.get("why", ""), str):
        check.fail("must be text", where + ".why")
    if claim["verdict"] in ("deviates", "differs-by-design") and not claim.get("why"):
        check.fail("is empty: a deviation must say why", where + ".why")


class _Checker:
    """Checks of a JSON document that name the element they stumble over."""

    def __init__(self, path):
        self.path = path

    def fail(self, reason, element):
        raise InputError(self.path, reason, element)

    def object(self, value, where):
        if not isinstance(value, dict):
            self.fail("must be an object", where)

    def required(self, parent, key, prefix=""):
        if key not in parent:
            self.fail("is missing", prefix + key)
        return parent[key]

    def text(self, parent, key, prefix=""):
        if not isinstance(self.required(parent, key, prefix), str):
            self.fail("must be text", prefix + key)

    def list(self, parent, key):
        if not isinstance(self.required(parent, key), list):
            self.fail("must be a list", key)
        return parent[key]

    def number(self, parent, key, prefix="", null=False):
        value = self.required(parent, key, prefix)
        if value is None and null:
            return
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            self.fail("must be a finite number" + (" or null" if null else ""), prefix + key)

    def one_of(self, parent, key, words, prefix=""):
        if self.required(parent, key, prefix) not in words:
            self.fail(f"must be one of {', '.join(words)}", prefix + key)


# ---------------------------------------------------------------------------------------------------------------
# metrics.csv


@dataclass(frozen=True)
class Metric:
    """One row of metrics.csv: the angular error of one method, in degrees."""

    rig: str
    family: str
    resolution: int
    vertices: int
    pose: str
    method: str
    truth: str
    weighting: str
    mean_deg: float
    rms_deg: float
    p95_deg: float
    p99_deg: float
    max_deg: float
    flips: int


def load_metrics(folder):
    """The rows of `folder`/metrics.csv as a list of Metric; further columns are ignored."""
    columns = {name: field.type for name, field in Metric.__dataclass_fields__.items()}
    return [Metric(**values) for values in load_table(Path(folder) / "metrics.csv", columns)]


def load_table(path, columns):
    """The rows of a CSV file as dictionaries: `columns` maps names to what turns their text into values."""
    path = Path(path)
    try:
        reader = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from None
    except UnicodeDecodeError:
        raise InputError(path, "is not UTF-8 text") from None
    missing = [name for name in columns if name not in (reader.fieldnames or [])]
    if missing:
        raise InputError(path, f"has no column {', '.join(missing)}")

    rows = []
    for record in reader:
        values = {}
        for name, convert in columns.items():
            try:
                values[name] = convert(record[name])
                if isinstance(values[name], float) and not math.isfinite(values[name]):
                    raise ValueError
            except (TypeError, ValueError):
                raise InputError(path, f"'{record[name]}' is no value for {name}",
                                 f"line {reader.line_num}") from None
        rows.append(values)
    if not rows:
        raise InputError(path, "has no rows")
    return rows


def convergence(rows, path, **wanted):
    """Resolutions and RMS degrees of the rows that have the `wanted` values, coarse to fine."""
    label = ", ".join(f"{key} {value}" for key, value in wanted.items())
    chosen = [row for row in rows if all(getattr(row, key) == value for key, value in wanted.items())]
    chosen.sort(key=lambda row: row.resolution)
    resolutions = [row.resolution for row in chosen]
    if len(set(resolutions)) < 2:
        raise InputError(path, "fewer than two resolutions", label)
    if len(set(resolutions)) != len(resolutions):
        raise InputError(path, "several rows for one resolution", label)
    if any(row.rms_deg <= 0 for row in chosen):
        raise InputError(path, "an RMS of zero has no place on a logarithmic axis", label)
    return resolutions, [row.rms_deg for row in chosen]


def measured_order(resolutions, errors):
    """The order k of errors ~ resolution^-k: least squares over all points in logarithms."""
    x = [math.log(r) for r in resolutions]
    y = [math.log(e) for e in errors]
    x_mean = sum(x) / len(x)
    return -sum((a - x_mean) * b for a, b in zip(x, y)) / sum((a - x_mean) ** 2 for a in x)


# ---------------------------------------------------------------------------------------------------------------
# Writing


def write_file(path, data):
    """Replaces `path` by the bytes `data`, whole or not at all."""
    path = Path(path)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise InputError(path, f"cannot be written: {error.strerror}") from None


# ---------------------------------------------------------------------------------------------------------------
# Figures


def use_style():
    """The look of every figure, whatever the reader's own matplotlib settings say; no display needed."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcdefaults()
    matplotlib.style.use(Path(__file__).parent / "style.mplstyle")


def load_image(folder, name):
    """The picture `folder`/`name` as an array, height by width by channels."""
    import matplotlib.image

    path = Path(folder) / name
    try:
        return matplotlib.image.imread(path, format="png")
    except OSError as error:
        raise InputError(path, error.strerror or "is not a PNG picture") from None
    except (SyntaxError, ValueError):
        raise InputError(path, "is not a PNG picture") from None


def save_figure(figure, folder):
    """Writes the matplotlib `figure` as figure.pdf and figure.png into `folder`."""
    undated = {"png": {"Software": None}, "pdf": {"Creator": None, "Producer": None, "CreationDate": None}}
    # Both are drawn before either is written: a failure leaves no half-new pair.
    drawn = {}
    for kind, metadata in undated.items():
        buffer = io.BytesIO()
        figure.savefig(buffer, format=kind, metadata=metadata)
        drawn[kind] = buffer.getvalue()
    for kind, data in drawn.items():
        write_file(Path(folder) / f"figure.{kind}", data)


def run_command(usage, command, argv=None):
    """Runs `command(directory)` on the single argument OUT_DIR; returns the exit code, 2 for unusable input."""
    argv = sys.argv[1:] if argv is None else argv
    # Tables hold signs such as ≤ and ±, whatever the locale says.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")
    if argv in (["-h"], ["--help"]):
        print(usage.strip())
        return 0
    if len(argv) != 1 or argv[0].startswith("-"):
        print(usage.strip(), file=sys.stderr)
        return 2
    try:
        if not Path(argv[0]).is_dir():
            raise InputError(argv[0], "is no folder")
        return command(Path(argv[0]))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2


def figure_command(usage, experiment, compose, argv=None):
    """The whole of a figure script: `compose(folder)` returns the matplotlib figure of OUT_DIR/<experiment>."""

    def command(out_dir):
        folder = out_dir / experiment
        run = load_run(folder)
        if run["id"] != experiment:
            raise InputError(folder / "run.json", f"is of another experiment, {run['id']}")
        if "not_run" in run:
            print(f"{experiment}: not run, no figure: {run['not_run']}")
            return 0
        use_style()
        save_figure(compose(folder), folder)
        print(folder / "figure.png")
        return 0

    return run_command(usage, command, argv)
