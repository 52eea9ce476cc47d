// The three meshes of [BTGM19 Table 2] and what stands in for them: its wolf and raptor are not to be had.
#pragma once

#include <functional>
#include <span>

#include "skinlight/samples/procedural.h"

namespace skinlight::repro {

struct BittnerRig {
  const char* name;   // "cuboid"
  const char* label;  // for people
  std::function<ProceduralRig()> make;
  int vertices, faces;                 // as printed
  std::function<Pose(double)> motion;  // from rest at 0 to a strong pose at 1
};

// The cuboid as published; a procedural quadruped with the wolf's 30 bones and more vertices than that; a finer one
// with the raptor's 79 bones, cut to exactly its 15,005 vertices and 21,959 faces.
std::span<const BittnerRig> bittner_rigs();

}  // namespace skinlight::repro
