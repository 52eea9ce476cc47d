"""Right normals of skinned meshes, their truth and their errors.

    rig = skinlight.Rig(positions, faces, bones, weights)  # or skinlight.read("hero.glb")
    posed = rig.skin(pose)  # posed.positions, posed.normals
    truth = rig.truth(pose)
    print(skinlight.angular_errors(posed.normals, truth.transported, truth.areas))

What cannot be used raises `InputError`, a ValueError that names the file, the array and the entry. Functions release the
GIL while they work. Arrays may be numpy's or anything that numpy takes for one; float32 and float64 are read where they
lie when the numbers of a row stand side by side, everything else is copied once.
"""

from ._audit import BakeReport, Errors, Finding, Fit, Judged, Judgement, angular_errors, bake, check, judge
from ._comparison import Comparison, Row, compare
from ._core import version as _version
from ._errors import InputError
from ._names import names
from ._rig import Batch, Bone, Clip, Factors, Frames, Morph, Overflow, Posed, Rig, Truth, Vectors, Warning, read

__version__ = _version()

__all__ = [
    "BakeReport", "Batch", "Bone", "Clip", "Comparison", "Errors", "Factors", "Finding", "Fit", "Frames", "InputError",
    "Judged", "Judgement", "Morph", "Overflow", "Posed", "Rig", "Row", "Truth", "Vectors", "Warning", "angular_errors", "bake",
    "check", "compare", "judge", "names", "read",
]
