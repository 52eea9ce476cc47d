// What every pair of a method and a normal mode costs a vertex of four bones, as JSON: run with node when the lab is built.
#include <cstdio>
#include <string>
#include <string_view>

#include "skinlight/bake/bake.h"
#include "skinlight/character/character.h"
#include "skinlight/preprocess/normal_record.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/packed_normals.h"

using namespace skinlight;

namespace {

// Deform frames of four bones have one slot more.
int slots_of(NormalMode mode) { return mode == NormalMode::deform_frames ? kFrameSlots : 4; }

// What `bake --normals` has to be for a kernel to find in the file what it reads; "" when no file holds it: gradients,
// centres of rotation.
std::string_view baked_for(const KernelTraits& traits) {
  const KernelReads& reads = traits.reads;
  if (traits.centre == CentreKind::of_vertex || reads.gradients) return "";
  const NormalMode normals = reads.frames    ? NormalMode::deform_frames
                             : reads.vectors ? NormalMode::deform_vectors
                             : reads.smooth  ? NormalMode::smoothed
                                             : NormalMode::deform;
  return reads.factors || reads.vectors || reads.frames ? row(normals).name : "";
}

int bytes_of(std::string_view normals, NumberFormat format) {
  const NormalMode mode = normal_mode_from_name(normals);
  if (mode == NormalMode::deform_frames) return frame_cost(format, slots_of(mode)).bytes;
  for (const RecordKindRow& record : kRecordKinds)
    if (mode_reading(record.kind) == mode)
      return record_cost(record.kind, FactorLayout::attributes, format, slots_of(mode)).bytes;
  return 0;
}

// By number format, of the baked file.
std::string bytes_of(std::string_view normals) {
  std::string bytes;
  if (normals.empty()) return bytes;
  for (const NumberFormatRow& format : kNumberFormats)
    bytes += (bytes.empty() ? "\"" : ", \"") + std::string(format.name) +
             "\": " + std::to_string(bytes_of(normals, format.format));
  return bytes;
}

}  // namespace

int main() {
  std::string json;
  for (const KernelRow& kernel : kernel_rows()) {
    const std::string_view normals = baked_for(kernel.traits);
    json += (json.empty() ? "\n \"" : ",\n \"") + std::string(row(kernel.method).name) + " " +
            std::string(row(kernel.mode).name) + "\": {\"operations\": " +
            std::to_string(kernel_operations(kernel.method, kernel.mode, slots_of(kernel.mode))) +
            ", \"baked\": \"" + std::string(normals) + "\", \"bytes\": {" + bytes_of(normals) + "}}";
  }
  std::printf("{%s\n}\n", json.c_str());
}
