"""What can be mutated, room by room, and which tests judge it."""
import dataclasses
import glob
import os


@dataclasses.dataclass(frozen=True)
class Room:
    name: str
    sources: tuple  # patterns, relative to the tree
    tests: tuple  # programs of the build (bin/...), the quickest to tell first
    target: float  # least share of mutants that must turn a test red
    python: bool = False
    slow: bool = False  # takes longer to build than a sample has
    includer: str = ""  # the header that includes its sources in the middle, where they cannot include anything themselves

    def files(self, tree):
        """Names relative to the tree, without tests, benchmarks and generated files."""
        found = set()
        for pattern in self.sources:
            found.update(os.path.relpath(name, tree) for name in glob.glob(os.path.join(tree, pattern), recursive=True))
        return sorted(name for name in found if not name.endswith(("_test.cpp", "_bench.cpp", "_test.py", "conftest.py", "_in_chromium.py"))
                      and "/fuzz/" not in name and "_bench." not in name)

    def test_files(self, tree):
        """Of a room in Python: the files of tests in its folders."""
        folders = {pattern.split("/")[0] for pattern in self.sources}
        return sorted(os.path.relpath(name, tree) for folder in folders
                      for name in glob.glob(os.path.join(tree, folder, "**", "*_test.py"), recursive=True))


def library(name, target=.9, slow=False):
    """Judged by its own tests alone: those of the rooms above would have to be built with its faults as well."""
    return Room(name, (f"lib/skinlight/{name}/**/*.cpp", f"lib/skinlight/{name}/**/*.h"), (f"skinlight_{name}_test",), target, slow=slow)


STRICT = .95
ROOMS = (
    Room("kernels", ("shaders/kernels/*.glsl",), ("skinlight_skinning_test",), STRICT,
         slow=True, includer="lib/skinlight/skinning/kernel_table.h"),
    library("core"),
    library("mesh"),
    library("rig"),
    library("samples"),
    library("preprocess", STRICT),
    library("skinning", STRICT, slow=True),
    library("truth", STRICT),
    library("character"),
    library("asset"),
    library("bake"),
    library("audit"),
    library("render"),
    Room("claims", ("repro/runner/*.cpp", "repro/runner/*.h", "repro/study/*.cpp", "repro/study/*.h"),
         ("skinlight_repro_test",), .9),
    Room("figures", ("paper_figures/*.py", "paper_figures/*/*.py"), (), .9, python=True),
)
BY_NAME = {room.name: room for room in ROOMS}
