"""What a figure shows, in words: every curve, bar, picture and number with the place of the data that it is from.

usage: shown.py [PAPER/FIGURE ...]

Composes the figures, all by default, from made-up data in which every value is unique, and writes beside each script
what is seen of them, <figure>.shown.txt. Tests compare with these files: read the difference before it is committed.
"""

import ast
import csv
import itertools
import re
import sys
from functools import cached_property
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import common
import palette

FOLDER = Path(__file__).resolve().parent
TABLES = FOLDER.parent / "golden" / "tables"
SCRIPTS = sorted(path for path in FOLDER.glob("*/*.py")
                 if not path.name.endswith("_test.py") and "\nEXPERIMENT = " in path.read_text(encoding="utf-8"))

# Columns that scripts look rows up by, and which stay as they are; all other numbers are replaced.
KEYS = {"influences", "pivot", "resolution", "turn_deg", "bend_deg", "degrees", "parts", "slots", "w"}
# Unique when rounded to whole numbers, larger than any number of a caption, and in an order that makes ratios differ.
FIRST, STEP, SPREAD, MOST = 3001.37, 1.37, 3571, 1 << 14


def rows_of(header, *rows):
    return [dict(zip(header.split(","), row.split(","))) for row in rows]


def every(header, rest, *values):
    """Rows of all combinations of the values of the first columns, and dots in the further ones."""
    return rows_of(",".join((header, rest)), *(",".join((*row, *"." * len(rest.split(",")))) for row in itertools.product(*values)))


METRICS = "rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,p99_deg,max_deg,flips"
# Tables that have no golden reference, as their experiments need models: texts and keys, numbers are dots.
MADE_UP = {
    "beyond/coarse_meshes/summary.csv": every(
        "truth,model", "standard,deform,smoothed,vectors,vectors_fitted,deform_all,smoothed_all,vectors_all",
        ("transported", "recomputed"), ("fox", "trex", "man")),
    "beyond/coarse_nonlinear/summary.csv": every(
        "model,method,truth", "standard,paper,smoothed,frames", ("trex", "fox", "man"), ("dqs", "crs"),
        ("transported", "recomputed")),
    "beyond/coarse_nonlinear/random.csv": every(
        "model,degrees", "paper,smoothed,frames", ("trex", "fox", "man"), ("20", "40", "60")),
    "beyond/quantised/formats.csv": every(
        "mode,format", "operations,bytes,fox,quaternius-formal,cesium-man,trex",
        ("deform", "smoothed", "deform-vectors"), ("f32", "f16", "snorm16", "snorm8")),
    "beyond/slots/slots.csv": every(
        "policy,slots", "operations,bytes_f16,fox,quaternius-formal,cesium-man,quaternius-wolf,trex,velociraptor",
        ("unfitted", "random", "clips"), "468") + rows_of(
        "policy,slots,operations,bytes_f16,fox,quaternius-formal,cesium-man,quaternius-wolf,trex,velociraptor",
        "paper,4,.,.,.,.,.,.,.,."),
    "bittner2019/fig8_cor_time/times.csv": every(
        "rig,way", "threads,printed_s,seconds,cpu_seconds", ("cuboid", "wolf", "raptor"),
        ("naive", "threads", "search")) + every(
        "rig,way,printed_s", "threads,seconds,cpu_seconds", ("cuboid", "wolf", "raptor"), ("pairs",), ("",)),
    "bittner2019/fig8_cor_time/differences.csv": every(
        "rig", "vertices,triangles,bones,search_max_percent,search_lost,subdivision_growth,subdivision_max_percent",
        ("cuboid", "wolf", "raptor", "another")),
    "tarini2014/characters/metrics.csv": [
        {**dict.fromkeys(METRICS.split(","), "."), "rig": rig, "pose": pose, "resolution": resolution, "method": method,
         "truth": truth}
        for (rig, pose), resolution, method, truth in itertools.product(
            (("fox", "Walk"), ("fox", "Run"), ("cesium-man", "clip 0")), "01", ("standard", "deform"),
            ("transported", "recomputed"))],
    "tarini2014/claims/overflow.csv": every(
        "model", "vertices,over,percent,bones_dropped,mean_share,largest_share", ("cesium-man", "fox", "hand")),
    "tarini2014/claims/metrics.csv": [
        {**dict.fromkeys(METRICS.split(","), "."), "rig": rig, "resolution": resolution, "method": method, "truth": truth}
        for rig, resolution, method, truth in (
            *itertools.product(("cesium-man", "fox"), "0", ("standard", "deform", "deform-all-slots"),
                               ("transported", "recomputed")),
            *itertools.product(("cesium-man",), "12", ("standard", "deform-all-slots"), ("transported",)),
            *itertools.product(("pill",), ("24", "48", "96"), ("standard", "deform"), ("analytic",)))]}


def texts_of(path):
    """The rows of a table as texts, whose numbers matter as keys only."""
    place = path.relative_to(path.parents[2]).as_posix()
    if place in MADE_UP:
        return MADE_UP[place]
    with open(TABLES / place, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Data:
    """Stands in for the readers of common.py: unique numbers, pictures that know their names, whatever file is asked for."""

    def __init__(self, words):
        self.words = words  # of the script: its pictures' names are put together from them
        self.tables = {}
        self.numbers = {}  # the inverse
        self.places = {}  # number -> (column of a table, texts and keys of its row, number of the row)
        self.pictures = []

    def load_table(self, path, columns):
        path = Path(path)
        texts = self.tables.setdefault(path, texts_of(path))
        missing = [name for name in columns if name not in texts[0]]
        if missing:
            raise common.InputError(path, f"has no column {', '.join(missing)}")
        return [self.row_of(path.name, line, row, columns) for line, row in enumerate(texts, 1)]

    def row_of(self, table, line, texts, columns):
        keys = [str(texts[name]) for name, convert in columns.items() if convert is str or name in KEYS]
        values = {}
        for name, convert in columns.items():
            if convert is str or name in KEYS:
                values[name] = convert(texts[name])
            elif texts[name] == "":
                values[name] = convert("")
            else:
                values[name] = self.unique(table, line, name, convert is int or texts[name].isdigit() and not convert is float, keys)
        return values

    def unique(self, table, line, name, whole, keys):
        place = (f"{table}:{name}", line, whole)
        if place not in self.numbers:  # else it is read once more
            assert len(self.places) < MOST
            place_in_line = len(self.places) * SPREAD % MOST
            # The millionths: no mean of some of these numbers is another one.
            number = round(FIRST + STEP * place_in_line + place_in_line ** 2 % 9973 * 1e-6, 6)
            self.numbers[place] = round(number) if whole else number
            self.places[self.numbers[place]] = (f"{table}:{name}", tuple(keys), line)
        return self.numbers[place]

    @cached_property
    def rounded(self):
        """The places in words, by the numbers rounded to whole ones."""
        return {round(number): f"{column}{list(keys) if keys else ''} row {row}".replace("'", "")
                for number, (column, keys, row) in self.places.items()}

    def load_image(self, folder, name):
        import numpy

        if name not in self.pictures:
            self.pictures.append(name)
        number = self.pictures.index(name)
        picture = numpy.full((12, 10, 3), 0.5)
        picture[..., 0], picture[..., 1] = number % 16 / 16, number // 16 / 16
        return picture

    def name_of(self, picture):
        return self.pictures[round(16 * float(picture[0, 0, 0])) + 16 * round(16 * float(picture[0, 0, 1]))]

    def load_run(self, folder):
        """Of a run that wrote every picture."""
        return {"outputs": [{"file": f"{a}_{b}.png"} for a in self.words for b in self.words]}


def neighbours():
    """The loaded modules of scripts and of what they share: those of two folders may have one name."""
    return {name: module for name, module in sys.modules.items()
            if FOLDER in Path(getattr(module, "__file__", None) or "/").parent.parents}


def words_of(folder):
    """All texts in the scripts of a folder."""
    nodes = (node for path in sorted(folder.glob("*.py")) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
            and re.fullmatch(r"[\w.-]+", node.value)}


def composed(path, text=None):
    """The figure of a script, or of a changed text of it, from made-up data; and the data."""
    data = Data(words_of(path.parent))
    before, paths = neighbours(), list(sys.path)
    readers = {name: getattr(common, name) for name in ("load_table", "load_image", "load_run")}
    for name in before:
        del sys.modules[name]
    sys.path[:0] = [str(path.parent), str(FOLDER)]
    for name in readers:
        setattr(common, name, getattr(data, name))
    try:
        script = {"__name__": "script", "__file__": str(path)}
        exec(compile(text or path.read_text(encoding="utf-8"), str(path), "exec"), script)
        common.use_style()
        return script["compose"](Path("out") / script["EXPERIMENT"]), data
    finally:
        sys.path[:] = paths
        for name, reader in readers.items():
            setattr(common, name, reader)
        for name in neighbours():
            del sys.modules[name]
        sys.modules.update(before)


# ---------------------------------------------------------------------------------------------------------------
# In words


def colour_name(colour):
    """As palette.py names it."""
    import matplotlib.colors

    if colour is None or isinstance(colour, str) and colour == "none":
        return "none"
    plain = matplotlib.colors.to_hex(colour)
    return NAMES.get(plain.upper(), plain) if matplotlib.colors.to_rgba(colour)[3] else "none"


NAMES = {value.upper(): name for name, value in reversed(vars(palette).items()) if isinstance(value, str) and value.startswith("#")}


def digits(number):
    return f"{float(number):.6g}"


def few(items):
    items = list(items)
    return " ".join(items) if len(items) <= 8 else f"{items[0]} {items[1]} ... {items[-1]} ({len(items)})"


def source_of(values, data):
    """(column, keys common to the rows, the rows in words) of numbers that are one column's, None for others."""
    found = [data.places.get(round(float(value), 6)) if abs(value - round(float(value), 6)) < 1e-9 else None
             for value in values if value == value]
    if not found or None in found or len({column for column, _, _ in found}) != 1:
        return None
    keys = [key for i, key in enumerate(found[0][1]) if all(keys[i] == key for _, keys, _ in found)]
    return found[0][0], keys, few(str(row) for _, _, row in found)


def series(values, data):
    """Numbers as the place that they are from, or as they are."""
    source = source_of(values, data)
    if source:
        column, keys, rows = source
        return f"{column}{keys if keys else ''} rows {rows}".replace("'", "")
    return few(digits(value) for value in values)


def quoted(text):
    return '"' + text.replace("\n", " / ") + '"'


def with_sources(text, data):
    """A text, and where its numbers are from."""
    numbers = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]{3,}(?:\.\d+)?", text)]
    found = [place for number in numbers for place in [data.rounded.get(round(number))] if place]
    return quoted(text) + "".join(f" <- {place}" for place in found)


def ticks(axis):
    """Labels that the script gave, by their place."""
    from matplotlib.ticker import FixedFormatter, FuncFormatter

    if not isinstance(axis.get_major_formatter(), (FixedFormatter, FuncFormatter)):
        return {}
    return {float(place): label.get_text() for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels()) if label.get_text()}


def nearest(place, labels):
    return quoted(labels[min(labels, key=lambda tick: abs(tick - place))]) if labels else digits(place)


def hand(text):
    """How a text is set, where that is not as usual."""
    import matplotlib

    usual = (("size", text.get_fontsize(), matplotlib.rcParams["font.size"]), ("", text.get_ha(), "left"),
             ("", text.get_va(), "baseline"), ("", str(text.get_weight()), "normal"), ("turned", text.get_rotation(), 0))
    return "".join(f" {name} {digits(is_so)}" if name else f" {is_so}" for name, is_so, as_usual in usual if is_so != as_usual)


def stroke(line):
    """How wide a curve and how large its markers are, where that is not as usual."""
    import matplotlib

    wide, large = line.get_linewidth(), line.get_markersize()
    return (f" width {digits(wide)}" if wide != matplotlib.rcParams["lines.linewidth"] and line.get_linestyle() != "None" else "") + (
        f" size {digits(large)}" if large != matplotlib.rcParams["lines.markersize"] and line.get_marker() not in ("None", "", None)
        else "")


def view(axes):
    """Which numbers span the axes, and where on the page they are."""
    spans = ", ".join(f"{name} {digits(low)} to {digits(high)}" + ("" if scale == "linear" else f" {scale}")
                      for name, (low, high), scale in (("x", axes.get_xlim(), axes.get_xscale()),
                                                       ("y", axes.get_ylim(), axes.get_yscale())))
    aspect = "" if axes.get_aspect() == "auto" else f", aspect {digits(axes.get_aspect())} {axes.get_adjustable()} {axes.get_anchor()}"
    place = " ".join(f"{number:.3f}" for number in axes.get_position(original=True).bounds)
    if axes.images:
        spans = axes.images[0].get_interpolation() or "nearest"
    return f"  view {spans}{aspect}, on the page {place}"


def shown_in(axes, data):
    """Lines of words about one pair of axes."""
    from matplotlib.patches import Rectangle

    titles = [f"{name} {with_sources(text, data)}" for name, text in (
        ("title", axes.get_title()), ("x", axes.get_xlabel()), ("y", axes.get_ylabel())) if text]
    if axes.images:
        yield f"picture {data.name_of(axes.images[0].get_array())} " + ", ".join(titles)
    else:
        yield "plot " + ", ".join(titles)
    yield view(axes)
    labels = {"x": ticks(axes.xaxis), "y": ticks(axes.yaxis)}
    for name, found in labels.items():
        if found:
            yield f"  ticks {name}: " + ", ".join(f"{with_sources(text, data)} at {digits(place)}" for place, text in found.items())
    for line in axes.get_lines():
        x, y = list(line.get_xdata(orig=False)), list(line.get_ydata(orig=False))
        label = "" if line.get_label().startswith("_") else quoted(line.get_label()) + " "
        marker = "" if line.get_marker() in ("None", "", None) else f" {line.get_marker()} {colour_name(line.get_markerfacecolor())}"
        yield f"  line {label}{colour_name(line.get_color())} {line.get_linestyle()}{marker}{stroke(line)}: x {series(x, data)}; y {series(y, data)}"
    names = {id(bar): group.get_label() for group in axes.containers for bar in group.patches if not group.get_label().startswith("_")}
    for bar in axes.patches:
        if not isinstance(bar, Rectangle):
            continue
        left, bottom, width, height = bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()
        label = quoted(names[id(bar)]) + " " if id(bar) in names else ""
        colour = f"{colour_name(bar.get_facecolor())}" + (f" {bar.get_alpha()}" if bar.get_alpha() else "")
        if not bar.get_fill():
            yield "  box " + ", ".join(series([number], data) for number in (left / 10, bottom / 12, width / 10, height / 12))
        elif 0 < width <= abs(height):  # one to the left has a negative width
            yield f"  bar {label}{colour} at {digits(left + width / 2)} {nearest(left + width / 2, labels['x'])}: {series([height], data)}"
        else:
            yield f"  bar {label}{colour} at {digits(bottom + height / 2)} {nearest(bottom + height / 2, labels['y'])}: {series([width], data)}"
    for group in axes.collections:
        points, outline = group.get_offsets(), group.get_paths()[0].vertices
        if points.tolist() == [[0, 0]]:  # an area between two curves
            yield f"  area {colour_name(group.get_facecolor()[0])}: x {series(outline[:, 0], data)}; y {series(outline[:, 1], data)}"
            continue
        label = "" if group.get_label().startswith("_") else quoted(group.get_label()) + " "
        face = colour_name(group.get_facecolor()[0]) if len(group.get_facecolor()) else "none"
        corner = " ".join(f"{round(float(x), 2) + 0:g}" for x in outline[0])  # tells markers apart
        yield (f"  points {label}{colour_name(group.get_edgecolor()[0])} filled {face} corner {corner}: x {series(points[:, 0], data)}; "
               f"y {series(points[:, 1], data)}")
    for text in axes.texts:
        if text.get_text():
            x, y = text.xy if hasattr(text, "xy") else text.get_position()
            yield f"  text {with_sources(text.get_text(), data)} {colour_name(text.get_color())}{hand(text)} at {x:.4g} {y:.4g}"
    yield from legend_of(axes.get_legend())


def legend_of(legend):
    import matplotlib

    if legend:
        parent = (legend.axes or legend.figure).bbox
        inside = legend.get_bbox_to_anchor()
        place = "" if inside is parent else " at " + " ".join(
            f"{number:.3f}" for number in ((inside.x0 - parent.x0) / parent.width, (inside.y0 - parent.y0) / parent.height))
        handles = legend.legend_handles if hasattr(legend, "legend_handles") else legend.legendHandles
        entries = (f"{quoted(text.get_text())} {handle_colour(handle)}" for text, handle in zip(legend.get_texts(), handles))
        usual = matplotlib.rcParams
        columns = "" if legend._ncols == 1 else f" in {legend._ncols} columns"
        sizes = "".join(f" {name} {digits(value)}" for name, value, as_usual in (
            ("size", legend._fontsize, usual["legend.fontsize"]), ("gap", legend.columnspacing, usual["legend.columnspacing"]),
            ("handle", legend.handlelength, usual["legend.handlelength"])) if value != as_usual)
        yield "  legend: " + ", ".join(entries) + f";{columns} place {legend._loc}{place}{sizes}"


def handle_colour(handle):
    for get in ("get_color", "get_edgecolor" if hasattr(handle, "get_offsets") else "get_facecolor"):
        if hasattr(handle, get):
            colour = getattr(handle, get)()
            return colour_name(colour[0] if getattr(colour, "ndim", 1) == 2 else colour)
    return "none"


def beside(text, figure, data):
    """The picture or plot that a text of the page stands nearest to."""
    x, y = text.get_transform().transform(text.get_position())
    best, near = "", None
    for axes in figure.axes:
        box = axes.get_window_extent()
        distance = max(box.x0 - x, 0, x - box.x1) + max(box.y0 - y, 0, y - box.y1)
        if near is None or distance < near:
            near = distance
            best = data.name_of(axes.images[0].get_array()) if axes.images else quoted(axes.get_title())
    return best


def shown(figure, data):
    """The whole figure in words."""
    lines = ["page of " + " by ".join(digits(length) for length in figure.get_size_inches()) + " inches"]
    lines += [line for axes in figure.axes for line in shown_in(axes, data)]
    parts = [figure, *figure.subfigs]
    for part in parts:
        for text in part.texts:
            x, y = text.get_position()
            lines.append(f"page: {with_sources(text.get_text(), data)} beside {beside(text, figure, data)}{hand(text)} at {x:.4g} {y:.4g}")
        lines += [line.strip() for legend in part.legends for line in legend_of(legend)]
    return "\n".join(lines) + "\n"


def kept(path):
    """Where the words of a script's figure are kept."""
    return path.with_suffix(".shown.txt")


def main(names):
    known = {f"{path.parent.name}/{path.stem}": path for path in SCRIPTS}
    for name in names or known:
        if name not in known:
            print(f"there is no figure '{name}'; there are {', '.join(known)}", file=sys.stderr)
            return 2
        common.write_file(kept(known[name]), shown(*composed(known[name])).encode())
        print(kept(known[name]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
