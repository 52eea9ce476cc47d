"""Rigs for the tests."""

import subprocess
import sys
import tempfile
from pathlib import Path

import hypothesis
import numpy as np
import pytest

import skinlight

# Leaves no folder behind.
hypothesis.configuration.set_hypothesis_home_dir(tempfile.gettempdir())
hypothesis.settings.register_profile("repository", database=None)
hypothesis.settings.load_profile("repository")

ROOT = Path(__file__).resolve().parents[3]


def rotation(axis, angle):
    """Rodrigues' formula; angle in radians."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


class Tube:
    """A tube along y bent by three bones, its weights a smooth function of y."""

    def __init__(self, around=24, along=33):
        angle, y = np.meshgrid(np.linspace(0, 2 * np.pi, around, endpoint=False), np.linspace(-2, 2, along))
        self.positions = np.stack([np.cos(angle), y, np.sin(angle)], axis=-1).reshape(-1, 3)
        ring = np.arange(around)
        self.faces = np.array([face for row in range(along - 1) for a, b in zip(ring, (ring + 1) % around)
                               for face in ([row * around + a, (row + 1) * around + a, row * around + b],
                                            [row * around + b, (row + 1) * around + a, (row + 1) * around + b])])
        self.bones = np.tile(np.arange(3), (len(self.positions), 1))
        self.weights = self.weights_at(self.positions[:, 1])
        self.normals = self.positions * [1, 0, 1]

    @staticmethod
    def weights_at(y):
        w = np.stack([1 / (1 + np.exp(3 * y)), np.exp(-y * y), 1 / (1 + np.exp(-3 * y))], axis=-1)
        return w / w.sum(axis=-1, keepdims=True)

    @staticmethod
    def pose(seed=1):
        random = np.random.default_rng(seed)
        return np.array([np.c_[rotation(random.normal(size=3), random.uniform(-.8, .8)), random.normal(size=3) * .3]
                         for _ in range(3)])

    def rig(self, **options):
        return skinlight.Rig(self.positions, self.faces, self.bones, self.weights, normals=self.normals, **options)


@pytest.fixture(scope="session")
def tube():
    return Tube()


@pytest.fixture(scope="session")
def rig(tube):
    return tube.rig()


@pytest.fixture(scope="session")
def pose(tube):
    return tube.pose()


@pytest.fixture(scope="session")
def arm(tmp_path_factory):
    """The character of the examples, a glTF file."""
    path = tmp_path_factory.mktemp("arm") / "arm.gltf"
    subprocess.run([sys.executable, ROOT / "lib/examples/make_arm.py", path], check=True)
    return path
