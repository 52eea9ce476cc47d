"""The averaging figure's script on made-up errors."""

import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import fig3_averaging


def write_averaging(out, methods=tuple(fig3_averaging.METHODS)):
    folder = write_run(out, make_run(id=fig3_averaging.EXPERIMENT))
    lines = ["rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,p99_deg,max_deg,flips"]
    for r, (rig, _, _) in enumerate(fig3_averaging.RIGS, 1):
        lines += [f"{rig},{rig},48,9,bend,{method},analytic,deformed area,1,{r * m},1,1,{10 * r * m},0"
                  for m, method in enumerate(methods, 1)]
    (folder / "metrics.csv").write_text("\n".join(lines) + "\n")
    for name, _ in fig3_averaging.PANELS:
        matplotlib.image.imsave(folder / name, numpy.full((30, 20, 3), 0.5))
    return folder


def test_bars_are_the_rms_errors(out):
    folder = write_averaging(out)
    use_style()
    bars = fig3_averaging.compose(folder).axes[-1].containers
    count = len(fig3_averaging.METHODS)
    assert [bar.get_height() for bar in bars[0]] == pytest.approx(range(1, count + 1))
    assert [bar.get_height() for bar in bars[1]] == pytest.approx(range(2, 2 * count + 1, 2))


def test_missing_method_is_named(out):
    folder = write_averaging(out, methods=fig3_averaging.METHODS[:-1])
    with pytest.raises(InputError, match="rig jittered_48, method voronoi"):
        fig3_averaging.compose(folder)
