"""The figure of formats on made-up errors."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import quantised


def write_formats(out):
    folder = write_run(out, make_run(id=quantised.EXPERIMENT))
    lines = ["mode,format,slots,operations,bytes," + ",".join(quantised.MODELS)]
    for m, (mode, _, _, _) in enumerate(quantised.MODES):
        for size, name in ((4, "f32"), (2, "f16"), (2, "snorm16"), (1, "snorm8")):
            lines.append(f"{mode},{name},4,100,{6 * (m + 1) * size}," + ",".join(str(m + 1 + 1 / size) for _ in range(4)))
    (folder / "formats.csv").write_text("\n".join(lines) + "\n")
    return folder


def test_lines_lead_from_bytes_to_degrees(out):
    folder = write_formats(out)
    use_style()
    axes = quantised.compose(folder).axes
    assert [a.get_title() for a in axes] == quantised.MODELS
    lines = {line.get_label(): line for line in axes[0].get_lines()}
    assert list(lines["deform factors"].get_xdata()) == [24, 12, 6]
    assert list(lines["deform vectors"].get_ydata()) == [3.25, 3.5, 4]


def test_missing_format_is_named(out):
    folder = write_formats(out)
    table = folder / "formats.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if "smoothed,f16" not in line))
    use_style()
    with pytest.raises(InputError, match="smoothed: has no format f16"):
        quantised.compose(folder)
