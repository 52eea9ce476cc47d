#include "skinlight/bake/detail/gltf_own_joints.h"

#include <utility>

#include "skinlight/asset/detail/reading.h"
#include "skinlight/core/detail/at.h"

namespace skinlight::gltf {

namespace {

// The slot's numbers count in slot 0, and it is unused.
void empty_slot(FrameRecord& record, const RiggedMesh& mesh, int vertex, int slot) {
  record.bone[record.at(vertex, slot)] = record.bone[record.at(vertex, 0)];
  for (const ColumnRow& column : kColumns)
    visit_column(record, column.quantity, [&]<class T>(std::vector<T>& values) {
      if (!values.empty()) values[record.at(vertex, slot)] = T(0.0);
    });
  close_sums(record, mesh, vertex, 1);
  for (int k = 0; k < record.frames; ++k) {
    double& offset = record.frame_offset[record.at_offset(vertex, k, slot)];
    record.frame_offset[record.at_offset(vertex, k, 0)] += std::exchange(offset, 0.0);
  }
}

}  // namespace

std::vector<int> joints_of_bones(const BoundSkin& skin, int bone_count) {
  std::vector<int> joints(at(bone_count), -1);
  for (int j = skin.joint_count() - 1; j >= 0; --j) joints[at(skin.bones[at(j)])] = j;
  return joints;
}

std::optional<FrameRecord> record_of_own_joints(const BakeReport& report,
                                                const std::vector<PrimitiveVertices>& primitives,
                                                std::vector<Warning>& warnings) {
  const RiggedMesh& mesh = report.character.mesh();
  const NormalRecord& whole = report.record();
  std::optional<FrameRecord> own;  // a copy, made where it differs
  for (const PrimitiveVertices& p : primitives) {
    const std::vector<int> joint = joints_of_bones(p.skin, mesh.bone_count);
    int lacking = 0;
    for (int v = p.first; v < p.first + p.count; ++v) {
      bool is_cut = false;
      for (int s = 1; s < whole.slots; ++s) {
        if (joint[at(whole.bone[whole.at(v, s)])] >= 0) continue;
        if (!own && report.frames) own = report.frame_record();
        if (!own) static_cast<NormalRecord&>(own.emplace()) = whole;
        empty_slot(*own, mesh, v, s);
        is_cut = true;
      }
      lacking += is_cut;
    }
    if (lacking > 0)
      warn(
          warnings, "mesh " + std::to_string(p.mesh) + " primitive " + std::to_string(p.primitive),
          "meets a mesh of another skin, and its own lacks joints that bend the seam: its normals go without them at " +
              std::to_string(lacking) + (lacking == 1 ? " vertex" : " vertices"));
  }
  return own;
}

}  // namespace skinlight::gltf
