// Real models in their own colours.
#pragma once

#include "repro/runner/model_catalogue.h"
#include "skinlight/asset/gltf/base_colours.h"
#include "skinlight/render/offscreen.h"

namespace skinlight::repro {

// What colours a subject has; of nothing: clay.
struct Dress {
  BaseColours colours = {};
  Image8 picture = {};

  // Views what this and the mesh hold. Clay where the colours are of other faces: an edited mesh.
  Paint on(const RiggedMesh& mesh) const;
};

// The base colours of a model's first file; clay where the format has none that are read, or no material says any.
Dress dress_of(const ModelEntry& entry);

}  // namespace skinlight::repro
