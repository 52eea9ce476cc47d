"""Composes out/beyond/exact_crs/: exact normals under optimised centres of rotation.

usage: exact_crs.py OUT_DIR

Reads run.json, metrics.csv, errors.csv and the panels of OUT_DIR/beyond/exact_crs/ and writes figure.pdf and
figure.png beside them.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

import exact
from common import figure_command

EXPERIMENT = "beyond/exact_crs"
STANDARD = ("standard", "standard", "standard", "-")
FIXED = ("fixed", "centres held", "between", "-")
EXACT = ("exact", "exact", "exact", "-")
SMOOTHED = ("smoothed", "smooth weights", "smoothed", "-")
STUDY = exact.Study(
    motions=[("bend_90", "bend 90°"), ("cuboid", "twist 120°, bend 60°")],
    columns=[("standard", "standard"), ("fixed", "centres held"), ("exact", "exact derivative"),
             ("truth_crs", "analytic truth"), ("error_standard", "error of standard"),
             ("error_fixed", "error, centres held"), ("error_exact", "error of exact")],
    models=[("wolf", "quaternius-wolf", "wolf"), ("trex", "trex", "T. rex"),
            ("velociraptor", "velociraptor", "raptor"), ("formal", "quaternius-formal", "Formal"),
            ("hand", "xr-hand-poses", "hand")],
    model_columns=[("standard", "standard"), ("smoothed", "smooth weights"), ("truth_crs", "transported truth"),
                   ("error_standard", "error of standard"), ("error_smoothed", "error, smooth\nweights")],
    table_methods=[STANDARD, FIXED, EXACT],
    mesh_methods=[STANDARD, FIXED, EXACT, SMOOTHED],
    model_methods=[STANDARD, FIXED, EXACT, SMOOTHED])


def compose(folder):
    return exact.compose(folder, STUDY)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
