// Writes what right normals need into a character's glTF file, as attributes that a vertex shader reads.
//
//   bake_character hero.glb hero_baked.glb
#include <cstdio>
#include <exception>

#include "skinlight/asset/model_file.h"
#include "skinlight/bake/bake.h"

using namespace skinlight;

int main(int argc, char** argv) try {
  if (argc != 3) return std::puts("usage: bake_character IN OUT"), 2;

  // Deform factors in 16 bits, as the attributes _DEFORM_ALPHA_0 and _DEFORM_BETA_0. All else in the file stays.
  const BakeOptions options{.format = NumberFormat::snorm16};
  const BakeReport report = bake_gltf(argv[1], argv[2], options);
  const RecordCost cost = record_cost(report.kind, options.layout, options.format, report.record().slots);
  std::printf("primitives: %d, each with %d attributes more, %d bytes per vertex\n", report.primitives,
              cost.attributes, cost.bytes);

  // Programs that do not know the new attributes still see the same character.
  const Model baked = read_model(argv[2]);
  std::printf("vertices: %d before, %d after\n", report.character.mesh().vertex_count(),
              baked.mesh.vertex_count());

  // Baking again finds the mark in the file and changes no byte.
  BakeOptions in_place = options;
  in_place.force = true;  // to write over the input
  std::printf("baked again: %s\n",
              bake_gltf(argv[2], argv[2], in_place).unchanged ? "unchanged" : "another file");
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 2;
}
