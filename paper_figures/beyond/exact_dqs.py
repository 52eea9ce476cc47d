"""Composes out/beyond/exact_dqs/: exact normals under dual quaternion skinning.

usage: exact_dqs.py OUT_DIR

Reads run.json, metrics.csv, errors.csv and the panels of OUT_DIR/beyond/exact_dqs/ and writes figure.pdf and
figure.png beside them.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

import exact
from common import figure_command

EXPERIMENT = "beyond/exact_dqs"
LBS = ("lbs-standard", "LBS, standard", "lbs", "-")
STANDARD = ("standard", "DQS, standard", "standard", "-")
PAPER = ("paper", "paper's approximation", "between", "-")
EXACT = ("exact", "exact", "exact", "-")
SMOOTHED = ("smoothed", "smooth weights", "smoothed", "-")
STUDY = exact.Study(
    motions=[("twist_170", "twist 170°"), ("cuboid", "twist 120°, bend 60°")],
    columns=[("standard", "standard"), ("paper", "paper's approximation"), ("exact", "exact derivative"),
             ("truth_dqs", "analytic truth"), ("error_standard", "error of standard"),
             ("error_paper", "error of paper's\napproximation"), ("error_exact", "error of exact")],
    models=[("fox", "fox", "fox"), ("formal", "quaternius-formal", "Formal"), ("man", "cesium-man", "man"),
            ("wolf", "quaternius-wolf", "wolf"), ("trex", "trex", "T. rex"),
            ("velociraptor", "velociraptor", "raptor"), ("hand", "xr-hand-poses", "hand")],
    model_columns=[("standard", "standard"), ("smoothed", "smooth weights"), ("truth_dqs", "transported truth"),
                   ("error_standard", "error of standard"), ("error_paper", "error of paper's"),
                   ("error_smoothed", "error, smooth\nweights")],
    table_methods=[LBS, STANDARD, PAPER, EXACT],
    mesh_methods=[STANDARD, PAPER, EXACT, SMOOTHED],
    model_methods=[STANDARD, PAPER, EXACT, SMOOTHED])


def compose(folder):
    return exact.compose(folder, STUDY)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
