"""Which normals to use when: advice whose numbers are all read from the tables of one run.

Errors are means in degrees: over the clips of each model, then over the models. Advice whose experiments were not run
is left out.
"""

from dataclasses import dataclass

from common import InputError, load_metrics, load_table

COARSE, REFINEMENT, SLOTS, QUANTISED, COSTS = ("beyond/coarse_meshes", "beyond/refinement", "beyond/slots",
                                               "beyond/quantised", "tarini2014/table1_cost")
# Other ways to blend bones: id, name, method, prefix of its normals in metrics.csv, whether [TPS14] has normals for it.
BLENDINGS = [("beyond/exact_dqs", "Dual quaternions (DQS)", "dqs", "", True),
             ("beyond/exact_crs", "Centres of rotation (CRS)", "crs", "", False),
             ("beyond/exact_sbs_log", "Spherical blending (SBS)", "sbs", "sbs-", False),
             ("beyond/exact_sbs_log", "Log-matrix blending (LOG)", "log", "log-", False)]
NONLINEAR = "beyond/coarse_nonlinear"
# Those under which deform frames were measured: name in the tables, label, the frames.
FRAMES = [("dqs", "Dual quaternions (DQS)", "frames"), ("crs", "Centres of rotation (CRS)", "frames-fitted"),
          ("sbs", "Spherical blending (SBS)", "frames"), ("log", "Log-matrix blending (LOG)", "frames")]
SOURCES = [COARSE, REFINEMENT, SLOTS, QUANTISED, COSTS, *dict.fromkeys(row[0] for row in BLENDINGS), NONLINEAR]
INFLUENCES = 4  # bones per vertex of every row
DENSE = 1000  # vertices from which the bent tube counts as dense


@dataclass(frozen=True)
class Advice:
    """One line. None: does not exist or was not counted."""

    mesh: str
    use: str
    measured: str  # on what, in words
    source: str  # id of the experiment
    standard: float  # degrees before
    paper: float | None  # with the deform factors of [TPS14], or its approximation for DQS
    advised: float  # degrees after
    before: int | None  # operations per vertex with standard normals, all of position and normal
    operations: int | None  # the same with the advised normals
    bytes: str | None  # per vertex, beyond bones and weights


def advice(out_dir, ran):
    """Advice from the experiments whose ids are in `ran`; empty when there are none of it."""
    ran = set(ran)
    rows = []
    costs = _costs(out_dir / COARSE) if COARSE in ran else None
    if REFINEMENT in ran:
        rows.append(_dense(out_dir / REFINEMENT, costs))
    if COARSE in ran:
        rows += _coarse(out_dir / COARSE, costs)
    if SLOTS in ran:
        rows.append(_six_slots(out_dir / SLOTS, costs))
    if QUANTISED in ran:
        rows.append(_eight_bits(out_dir / QUANTISED, costs))
    operations = _operations(out_dir / COSTS) if COSTS in ran else None
    for name, label, method, prefix, has_paper in BLENDINGS:
        if name in ran:
            rows += _blending(out_dir, name, label, method, prefix, has_paper, operations, costs)
    if NONLINEAR in ran:
        rows += _frames(out_dir / NONLINEAR)
    return rows


def _costs(folder):
    columns = {"mode": str, "slots": int, "operations": int, "bytes_f32": int, "bytes_f16": int, "bytes_snorm8": int}
    path = folder / "cost.csv"
    return path, {(row["mode"], row["slots"]): row for row in load_table(path, columns)}


def _cost(costs, mode, what, slots=INFLUENCES):
    if costs is None:
        return None
    path, rows = costs
    if (mode, slots) not in rows:
        raise InputError(path, "has no such row", f"{mode}, {slots}")
    return rows[mode, slots][what]


def _price(costs, mode, slots=INFLUENCES):
    """The last three fields of Advice under linear blending."""
    if costs is None:
        return None, None, None
    sizes = f"{_cost(costs, mode, 'bytes_f32', slots)} ({_cost(costs, mode, 'bytes_f16', slots)} in 16 bits)"
    return _cost(costs, "standard", "operations"), _cost(costs, mode, "operations", slots), sizes


def _operations(folder):
    """{(method, normals): operations per vertex} with INFLUENCES bones."""
    path = folder / "operations.csv"
    columns = {"method": str, "normals": str, "influences": int, "operations": int}
    found = {(row["method"], row["normals"]): row["operations"] for row in load_table(path, columns)
             if row["influences"] == INFLUENCES}
    for _, _, method, _, _ in BLENDINGS:
        for normals in ("standard", "exact", "smoothed"):
            if (method, normals) not in found:
                raise InputError(path, "has no such row", f"{method}, {normals}, {INFLUENCES}")
    return found


def _model_mean(metrics, path, method):
    """(mean over the models of the means over their clips, number of models), against the transported truth."""
    clips = {}
    for row in metrics:
        if (row.family, row.truth, row.method) == ("model", "transported", method):
            clips.setdefault(row.rig, []).append(row.mean_deg)
    if not clips:
        raise InputError(path, "has no such row", f"model, {method}, transported")
    return sum(sum(means) / len(means) for means in clips.values()) / len(clips), len(clips)


def _models(count):
    return f"{count} animated model{'s' if count > 1 else ''}, every clip, against the posed triangles"


def _dense(folder, costs):
    """The coarsest of the structured meshes that are dense."""
    path = folder / "metrics.csv"
    rows = [row for row in load_metrics(folder) if (row.family, row.truth, row.weighting) ==
            ("structured", "analytic", "deformed area") and row.vertices >= DENSE]
    if not rows:
        raise InputError(path, "has no such row", f"structured, analytic, at least {DENSE} vertices")
    vertices = min(row.vertices for row in rows)
    means = {row.method: row.mean_deg for row in rows if row.vertices == vertices}
    for method in ("standard", "deform", "vectors"):
        if method not in means:
            raise InputError(path, "has no such row", f"structured, analytic, {method}, {vertices}")
    return Advice("Smooth surface, dense mesh", "deform factors",
                  f"bent tube of {vertices:,} vertices, against the smooth surface; deform vectors: "
                  f"{degrees(means['vectors'])}", REFINEMENT, means["standard"], means["deform"],
                  means["deform"], *_price(costs, "deform"))


def _coarse(folder, costs):
    ways = [("Coarse mesh, memory tight", "smooth weights", "smoothed", "smoothed"),
            ("Coarse mesh, flat-shaded or with hard edges", "deform vectors", "vectors", "deform-vectors"),
            ("The same, clips known beforehand", "deform vectors fitted to the clips", "vectors_fitted",
             "deform-vectors")]
    table = load_table(folder / "summary.csv", {"model": str, "truth": str, "standard": float, "deform": float} |
                       {way[2]: float for way in ways})
    rows = [row for row in table if row["truth"] == "transported"]
    if not rows:
        raise InputError(folder / "summary.csv", "has no such row", "transported")

    def mean(column):
        return sum(row[column] for row in rows) / len(rows)

    return [Advice(mesh, use, _models(len(rows)), COARSE, mean("standard"), mean("deform"), mean(column),
                   *_price(costs, mode))
            for mesh, use, column, mode in ways]


def _six_slots(folder, costs):
    metrics, path = load_metrics(folder), folder / "metrics.csv"
    # No standard normals in this experiment: the reader compares with the paper's factors.
    paper, _ = _model_mean(metrics, path, "deform/4")
    best, count = _model_mean(metrics, path, "unfitted/6")
    return Advice("The same, room for two more bones", "deform vectors, six slots", _models(count), SLOTS, None, paper,
                  best, *_price(costs, "deform-vectors", 6))


def _eight_bits(folder, costs):
    metrics, path = load_metrics(folder), folder / "metrics.csv"
    standard, _ = _model_mean(metrics, path, "standard")
    paper, _ = _model_mean(metrics, path, "deform/f32")
    best, count = _model_mean(metrics, path, "deform-vectors/snorm8")
    return Advice("Coarse mesh, the bytes of deform factors in floats", "deform vectors in 8 bits", _models(count),
                  QUANTISED, standard, paper, best, *_price(costs, "deform-vectors")[:2],
                  _text(_cost(costs, "deform-vectors", "bytes_snorm8")))


def _blending(out_dir, name, label, method, prefix, has_paper, operations, costs):
    """A smooth tube bent by 90 degrees, with exact gradients; then the models, where the run has them."""
    folder = out_dir / name
    path = folder / "errors.csv"
    means = {row["method"]: row["mean_deg"]
             for row in load_table(path, {"body": str, "motion": str, "method": str, "mean_deg": float})
             if (row["body"], row["motion"]) == ("tube", "bend_90")}
    wanted = [f"{prefix}standard", f"{prefix}exact"] + (["paper"] if has_paper else [])
    for normals in wanted:
        if normals not in means:
            raise InputError(path, "has no such row", f"tube, bend_90, {normals}")

    def counts(normals):
        return (None, None) if operations is None else (operations[method, "standard"], operations[method, normals])

    # The gradients of the centres that CRS stores too have no packed format, so no size.
    packed = costs if name != "beyond/exact_crs" else None
    rows = [Advice(f"{label}, smooth surface", "exact derivative", "tube bent by 90°, exact gradients of the weights",
                   name, means[wanted[0]], means["paper"] if has_paper else None, means[wanted[1]],
                   *counts("exact"), _text(_cost(packed, "deform", "bytes_f32")))]
    metrics = load_metrics(folder)
    if any(row.family == "model" for row in metrics):
        path = folder / "metrics.csv"
        standard, _ = _model_mean(metrics, path, f"{prefix}standard")
        paper = _model_mean(metrics, path, "paper")[0] if has_paper else None
        best, count = _model_mean(metrics, path, f"{prefix}smoothed")
        rows.append(Advice(f"{label}, coarse mesh", "exact derivative at smooth weights", _models(count), name,
                           standard, paper, best, *counts("smoothed"),
                           _text(_cost(packed, "smoothed", "bytes_f32"))))
    return rows


def _frames(folder):
    path = folder / "cost.csv"
    columns = {"method": str, "normals": str, "slots": int, "operations": int, "bytes": int, "mean_deg": float}
    found = {(row["method"], row["normals"]): row for row in load_table(path, columns)}

    def row(method, normals):
        if (method, normals) not in found:
            raise InputError(path, "has no such row", f"{method}, {normals}")
        return found[method, normals]

    rows = []
    for method, label, normals in FRAMES:
        standard, frames = row(method, "standard"), row(method, normals)
        fitted = ", fitted to random poses" if normals == "frames-fitted" else ""
        rows.append(Advice(f"{label}, coarse mesh, kernels of your own", f"deform frames{fitted}", _models(6), NONLINEAR,
                           standard["mean_deg"], row(method, "paper")["mean_deg"] if method == "dqs" else None,
                           frames["mean_deg"], standard["operations"], frames["operations"], str(frames["bytes"])))
    return rows


def _text(value):
    return None if value is None else str(value)


def degrees(value):
    """Two significant digits; what is rounding is 0."""
    if value is None:
        return "–"
    return "0°" if value < 1e-9 else f"{value:.2g}°" if value < 10 else f"{value:.0f}°"
