"""Composes out/beyond/exact_sbs_log/: exact normals under spherical and log-matrix blending.

usage: exact_sbs_log.py OUT_DIR

Reads run.json, metrics.csv, errors.csv and the panels of OUT_DIR/beyond/exact_sbs_log/ and writes figure.pdf and
figure.png beside them.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

import exact
from common import figure_command

EXPERIMENT = "beyond/exact_sbs_log"


def columns(best, label):
    """SBS, standard and `best`, then the errors of both methods."""
    return [("sbs-standard", "SBS, standard"), (f"sbs-{best}", f"SBS, {label}"),
            ("error_sbs-standard", "error of\nSBS, standard"), (f"error_sbs-{best}", f"error of\nSBS, {label}"),
            ("error_log-standard", "error of\nLOG, standard"), (f"error_log-{best}", f"error of\nLOG, {label}")]


def ways(*modes):
    labels = {"standard": "standard", "exact": "exact", "smoothed": "smooth weights"}
    return [(f"{name}-{mode}", f"{name.upper()}, {labels[mode]}", mode, dash)
            for name, dash in (("sbs", "-"), ("log", "--")) for mode in modes]


STUDY = exact.Study(
    motions=[("bend_90", "bend 90°"), ("cuboid", "twist 120°, bend 60°")],
    columns=columns("exact", "exact"),
    models=[("wolf", "quaternius-wolf", "wolf"), ("trex", "trex", "T. rex"),
            ("velociraptor", "velociraptor", "raptor"), ("formal", "quaternius-formal", "Formal"),
            ("hand", "xr-hand-poses", "hand")],
    model_columns=columns("smoothed", "smooth weights"),
    table_methods=ways("standard", "exact"),
    mesh_methods=ways("standard", "exact", "smoothed"),
    model_methods=ways("standard", "exact", "smoothed"),
    model_scale="log",
    model_note="LOG tears the surface where the logarithms of a vertex's bones are more than half a turn apart\n(wolf, "
               "Formal, hand): there no normals are right.")


def compose(folder):
    return exact.compose(folder, STUDY)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
