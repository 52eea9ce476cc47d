// [BTGM19 Sec. 5.2.2]: the floats that each method keeps on the GPU, per bone and per vertex, and what they
// take for the paper's three meshes; beside it what our own buffers hold.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "repro/runner/judgement.h"
#include "repro/studio.h"
#include "repro/study/bittner_rigs.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/render/gpu_skin.h"
#include "skinlight/samples/quadruped.h"

namespace skinlight::repro::bittner2019::table_memory {

namespace {

struct MeshSize {
  const char* name;
  int vertices, bones;  // as printed in Table 2
};

constexpr std::array kMeshes = {MeshSize{"cuboid", 16800, 5}, MeshSize{"wolf", 1291, 30},
                                MeshSize{"raptor", 15005, 79}};

struct Storage {
  Method method;
  const char* name;
  int per_bone, per_vertex;                      // floats, as printed
  std::array<double, kMeshes.size()> kilobytes;  // as printed
};

constexpr std::array kMethods = {Storage{Method::lbs, "lbs", 16, 0, {0.32, 1.92, 5.06}},
                                 Storage{Method::dqs, "dqs", 8, 0, {0.16, 0.96, 2.53}},
                                 Storage{Method::crs, "crs", 20, 3, {202, 17.89, 186.38}}};

// 1 kB is 1000 bytes: only so the printed sizes come out.
double kilobytes(int per_bone, int per_vertex, const MeshSize& mesh) {
  return (per_bone * mesh.bones + per_vertex * mesh.vertices) * 4 / 1000.0;
}

// A rig of the printed numbers of vertices and bones in GPU memory. Where its centres lie takes no memory.
class MeasuredRig {
 public:
  MeasuredRig(const BittnerRig& rig, Workbench& bench)
      : mesh_(of_size(rig.make(), rig.vertices, rig.faces).mesh), pose_(rig.motion(1)) {
    centres_.centre = mesh_.p0;
    centres_.along_t = centres_.along_b = std::vector<Vec3d>(mesh_.p0.size(), Vec3d(0.0));
    centres_.has_centre.assign(mesh_.p0.size(), 1);
    SkinData data;
    data.centres = &centres_;
    gpu_ = std::make_unique<GpuSkin>(bench.studio.context(), mesh_, data);
  }

  const RiggedMesh& mesh() const { return mesh_; }
  GpuBytes bytes(Method method) const {
    return gpu_->bytes(pose_, {.method = method, .mode = NormalMode::standard});
  }

 private:
  RiggedMesh mesh_;
  RotationCentres centres_;
  Pose pose_;
  std::unique_ptr<GpuSkin> gpu_;
};

double floats(std::size_t bytes) { return static_cast<double>(bytes) / sizeof(float); }

std::string key(const Storage& method, const MeshSize& mesh) {
  return std::string(method.name) + "_" + mesh.name;
}

void compute(Workbench& bench) {
  std::string csv =
      "method,floats_per_bone,floats_per_vertex,mesh,vertices,bones,printed_kb,computed_kb,ours_per_bone,ours_per_vertex,ours_kb\n";
  auto& values = bench.results.values;
  std::vector<MeasuredRig> rigs;
  for (const BittnerRig& rig : bittner_rigs()) rigs.emplace_back(rig, bench);
  double centres_over_normals = 0, centres_share = 100;
  for (const Storage& method : kMethods)
    for (std::size_t i = 0; i < kMeshes.size(); ++i) {
      const MeshSize& mesh = kMeshes[i];
      if (rigs[i].mesh().vertex_count() != mesh.vertices || rigs[i].mesh().bone_count != mesh.bones)
        throw std::logic_error(std::string("the rig is not as large as the printed ") + mesh.name);
      const GpuBytes own = rigs[i].bytes(method.method);
      const double computed = kilobytes(method.per_bone, method.per_vertex, mesh),
                   our = static_cast<double>(own.bones + own.centres) / 1000;
      values[key(method, mesh)] = our;
      if (method.method == Method::crs) {
        centres_share = std::min(centres_share, static_cast<double>(own.centres) / (10 * our));
        centres_over_normals = std::max(centres_over_normals,
                                        static_cast<double>(own.centres) / static_cast<double>(own.normals));
        // Of what the paper counts: 4 floats per bone for the rotation alone.
        double& extra = values["quaternions_percent"];
        extra = std::max(extra, 100 * kilobytes(4, 0, mesh) / method.kilobytes[i]);
      }
      char line[200];
      std::snprintf(line, sizeof line, "%s,%d,%d,%s,%d,%d,%g,%.3f,%g,%g,%.3f\n", method.name, method.per_bone,
                    method.per_vertex, mesh.name, mesh.vertices, mesh.bones, method.kilobytes[i], computed,
                    floats(own.bones) / mesh.bones, floats(own.centres) / mesh.vertices, our);
      csv += line;
    }
  values["centres_percent"] = centres_share;
  values["centres_over_normals"] = centres_over_normals;
  bench.write_table(
      "memory.csv",
      "Memory of each method in kB of 1000 bytes: as printed, from the counts of Table 2, and our buffers as OpenGL counts them",
      csv);
}

std::vector<Finding> findings() {
  std::vector<Finding> all;
  for (const Storage& method : kMethods)
    for (const MeshSize& mesh : kMeshes) all.push_back({key(method, mesh), value_of(key(method, mesh))});
  all.push_back({"dqs_over_lbs", [](const Results& r) { return r.value("dqs_wolf") / r.value("lbs_wolf"); }});
  all.push_back({"crs_per_vertex", value_of("centres_percent")});
  all.push_back({"centres_as_normals", value_of("centres_over_normals")});
  all.push_back({"quaternions_negligible", value_of("quaternions_percent")});
  return all;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Sec. 5.2.2, 6";
  e.title = "Memory of LBS, DQS and CRS";
  e.says =
      "LBS keeps a 4 x 4 matrix per bone, DQS a dual quaternion, CRS a matrix and a quaternion per bone and a centre per vertex. "
      "Meshes have many more vertices than bones, so CRS takes by far the most: its quaternions are negligible, its centres as expensive as normals.";
  e.extra = compute;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::bittner2019::table_memory
