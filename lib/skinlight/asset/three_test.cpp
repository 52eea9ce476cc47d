// The readers of glTF and FBX against three.js, which loads and poses the same files on its own: pose_by_three.mjs. Between
// the keys of FBX it is no judge (see there); FBX2glTF, which is built on the SDK, is one.
//
// ci/setup.sh installs three.js into build/node.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/fbx/fbx.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/detail/gltf_model.h"
#include "skinlight/core/file.h"
#include "skinlight/rig/morph.h"
#include "testing/gltf_file.h"
#include "testing/point_sets.h"
#include "testing/real_models.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::posed;
using Json = nlohmann::json;

// three.js keeps attributes, keys and normalised weights in floats.
constexpr double kFloats = 1e-6;  // of the diagonal
constexpr int kAllWeights = 1 << 16;

// Where three.js is no judge: why, and how far it is away at least. If that changes, look again.
struct Exception {
  double at_least;
  const char* why;
};

struct Reading {
  Model model;
  std::vector<gltf::PrimitiveVertices> primitives;
};

Reading read(const fs::path& file) {
  Reading r;
  const ReadOptions all{.max_influences = kAllWeights};
  r.model = gltf::read_model(gltf::open(file), "model", all, &r.primitives);
  return r;
}

// Morphed, then posed.
std::vector<Vec3d> positions(const Model& model, int clip, double time) {
  const Clip none;
  const Clip& moves = clip < 0 ? none : model.clips[static_cast<std::size_t>(clip)];
  RiggedMesh mesh = model.mesh;
  const std::vector<double> weights = morph_weights_at(model.morph_weights, moves, time);
  for (std::size_t m = 0; m < model.morphs.size(); ++m)
    for (std::size_t i = 0; i < model.morphs[m].vertex.size(); ++i)
      mesh.p0[static_cast<std::size_t>(model.morphs[m].vertex[i])] += model.morphs[m].dp[i] * weights[m];
  return posed(mesh, clip < 0 ? default_pose(model.skeleton) : pose_at(model.skeleton, moves, time));
}

double diagonal(const std::vector<Vec3d>& p) {
  Vec3d low = p[0], high = p[0];
  for (const Vec3d& q : p)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], q[i]);
      high[i] = std::max(high[i], q[i]);
    }
  return length(high - low);
}

class ThreeJs : public test_models::RealModels {
 protected:
  // What it says of the files, in their order.
  std::vector<Json> ask(const std::vector<fs::path>& files) {
    const fs::path source(SKINLIGHT_SOURCE_DIR), out = folder_.write("poses", "");
    std::string command = "NODE_PATH='" + (source / "build/node/node_modules").string() + "' node '" +
                          (source / "lib/skinlight/asset/pose_by_three.mjs").string() + "' '" + out.string() +
                          "'";
    for (const fs::path& file : files) command.append(" '").append(file.string()).append("'");
    if (std::system(command.c_str()) != 0)
      throw InputError(source.string(), "", "three.js cannot be run; ci/setup.sh installs it");
    numbers_ = read_file(out.string() + ".bin");
    std::vector<Json> answers;
    std::ifstream lines(out);
    for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
    return answers;
  }

  std::vector<Vec3d> points(const Json& mesh) const {
    std::vector<Vec3d> p(mesh["count"].get<std::size_t>());
    for (std::size_t i = 0; i < p.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        std::memcpy(&p[i][static_cast<int>(c)],
                    numbers_.data() + sizeof(double) * (mesh["first"].get<std::size_t>() + 3 * i + c),
                    sizeof(double));
    return p;
  }

  // The largest distance of a vertex over all poses, in diagonals of the character posed so.
  double departure(const Reading& ours, const Json& poses) const {
    double largest = 0;
    for (const Json& pose : poses) {
      const std::vector<Vec3d> p = positions(ours.model, pose["clip"], pose["time"]);
      const double size = diagonal(p);  // 0: all vertices at one place
      for (const Json& mesh : pose["meshes"])
        for (const gltf::PrimitiveVertices& q : ours.primitives) {
          if (q.mesh != mesh["mesh"] || q.primitive != mesh["primitive"] || q.skin.skin != mesh["skin"])
            continue;
          const std::vector<Vec3d> theirs = points(mesh);
          EXPECT_EQ(theirs.size(), static_cast<std::size_t>(q.count));
          for (std::size_t v = 0; v < theirs.size(); ++v) {
            const double d =
                length(p[static_cast<std::size_t>(q.first) + v] - theirs[v]) / (size > 0 ? size : 1);
            largest = std::max(largest, std::isfinite(d) ? d : INFINITY);
          }
        }
    }
    return largest;
  }

  // Compares every file that we read.
  void compare(const std::vector<fs::path>& files, double tolerance,
               const std::map<std::string, Exception>& exceptions, int expected) {
    std::vector<fs::path> readable;
    std::vector<Reading> readings;
    for (const fs::path& file : files) try {
        readings.push_back(read(file));
        readable.push_back(file);
      } catch (const InputError&) {  // which other tests are about
      }
    const std::vector<Json> answers = ask(readable);
    ASSERT_EQ(answers.size(), readable.size());
    int compared = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const std::string name = readable[i].filename().string();
      SCOPED_TRACE(name);
      const auto exception = exceptions.find(name);
      const double d = answers[i].contains("error") ? INFINITY : departure(readings[i], answers[i]["poses"]);
      std::cout << name << ": " << d;
      if (answers[i].contains("error")) std::cout << " " << answers[i]["error"].get<std::string>();
      if (exception != exceptions.end()) std::cout << " (" << exception->second.why << ")";
      std::cout << "\n";
      if (exception != exceptions.end()) {
        EXPECT_GE(d, exception->second.at_least);
      } else {
        EXPECT_LE(d, tolerance);
        ++compared;
      }
    }
    EXPECT_GE(compared, expected);
  }

  static std::vector<fs::path> files_of(const fs::path& folder, const std::set<std::string>& formats) {
    std::set<fs::path> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (formats.count(extension_of(entry.path())) != 0) found.insert(entry.path());
    return {found.begin(), found.end()};
  }

  gltf_test::Folder folder_{"three"};
  std::string numbers_;
};

TEST_F(ThreeJs, PosesOfEveryGltfAreOurs) {
  std::vector<fs::path> files = files_of(test_models::folder(), {".gltf", ".glb"});
  const std::vector<fs::path> seeds =
      files_of(fs::path(SKINLIGHT_SOURCE_DIR) / "lib/skinlight/asset/fuzz/corpus/gltf", {".gltf", ".glb"});
  files.insert(files.end(), seeds.begin(), seeds.end());
  // Cases with a right answer, beside the models.
  const fs::path cases = test_models::folder().lexically_normal().parent_path() / "cases";
  if (fs::is_directory(cases)) {
    const std::vector<fs::path> all = files_of(cases, {".gltf", ".glb"});
    files.insert(files.end(), all.begin(), all.end());
  }
  const double none = INFINITY;
  compare(files, kFloats,
          {{"05_six_influences_JOINTS_1.gltf",
            {.01, "it reads four of the six weights: judged by its two halves"}},
           {"far_from_the_origin.gltf", {1, "coordinates of 1e30 and more, which its floats cannot square"}},
           {"unorm16_sum_65534.gltf", {1e-6, "it writes normalised weights back into 16 bits"}},
           {"sum_0.9992_far.gltf", {1e-6, "it normalises weights in floats, 10,000 from the origin"}},
           {"weights_normalized_flag_missing.gltf",
            {.1, "it normalises integers without the flag to 0: judged with the flag"}},
           {"pointer.gltf",
            {0, "it leaves out KHR_animation_pointer: the clip is judged by plain.gltf, GltfPointer"}},
           {"meshopt_khronos.glb",
            {none, "it does not know KHR_meshopt_compression: judged by meshopt_triangles.glb"}},
           {"draco_edgebreaker.glb",
            {none, "it asks for a browser's workers: judged by the plain twin, GltfDraco"}},
           {"draco_sequential.glb", {none, "likewise"}}},
          20);
}

// In the default pose and where clips begin. Its vertices stand in an order of their own. Exceptions tell who judges instead.
TEST_F(ThreeJs, DefaultPosesOfFbxAreOursAndThoseAtTheStartOfClips) {
  const std::map<std::string, Exception> exceptions = {
      {"maya_transformed_skin_7700_binary",
       {.1, "a mesh that moves with its skin, which only Maya does: OBJ"}},
      {"motionbuilder_sausage_rrss_7700_binary", {.1, "it knows no InheritType RrSs: OBJ"}},
      {"synthetic_sausage_wiggle_no_bind_7500_ascii", {.1, "it asks for a bind pose: FBX2glTF"}},
      {"synthetic_sausage_wiggle_no_link_7500_ascii",
       {INFINITY, "it asks for the clusters' matrices: the twin that has them"}},
  };
  std::vector<fs::path> files;
  std::vector<Model> models;
  for (const fs::path& file : files_of(test_models::folder(), {".fbx"})) try {
      models.push_back(read_fbx(file));
      files.push_back(file);
    } catch (const InputError&) {  // which other tests are about
    }
  const std::vector<Json> answers = ask(files);
  ASSERT_EQ(answers.size(), files.size());
  int compared = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string name = files[i].stem().string();
    double largest = answers[i].contains("error") ? INFINITY : 0;
    for (const Json& pose : answers[i].value("poses", Json::array())) {
      std::vector<Vec3d> theirs;
      for (const Json& mesh : pose["meshes"])
        for (const Vec3d& p : points(mesh)) theirs.push_back(p);
      int clip = -1;
      for (std::size_t c = 0; c < models[i].clips.size() && pose["clip"] != -1; ++c)
        if (models[i].clips[c].name == pose["name"]) clip = static_cast<int>(c);
      largest = std::max(largest, point_sets::departure(positions(models[i], clip, 0), theirs));
    }
    const auto exception = exceptions.find(name);
    std::cout << name << ": " << largest << "\n";
    if (exception != exceptions.end()) {
      EXPECT_GE(largest, exception->second.at_least) << name;
    } else {
      EXPECT_LE(largest, kFloats) << name;
      ++compared;
    }
  }
  EXPECT_GE(compared, 10);
}

Json json_of(const fs::path& file) { return Json::parse(read_file(file)); }

// Eight weights, of which it reads four: linear blending is the sum of what it makes of the first and of the second four,
// each as large as its weights, which it normalises.
TEST_F(ThreeJs, SixInfluencesAreItsTwoHalves_TPS14_Eq1) {
  const fs::path file = test_models::folder() / "edge/05_six_influences_JOINTS_1.gltf";
  Json first = json_of(file), second = first;
  for (auto [half, dropped] : {std::pair(&first, "_1"), {&second, "_0"}}) {
    Json& attributes = (*half)["meshes"][0]["primitives"][0]["attributes"];
    for (const std::string name : {"JOINTS", "WEIGHTS"}) {
      attributes.erase(name + dropped);
      if (attributes.contains(name + "_1")) attributes[name + "_0"] = attributes[name + "_1"];
      attributes.erase(name + "_1");
    }
  }
  RawAttributes raw;
  const Model model = read_gltf(file, {.max_influences = kAllWeights, .raw = &raw});
  ASSERT_EQ(raw.slots, 8);
  const std::vector<Json> halves =
      ask({folder_.write("first.gltf", first.dump()), folder_.write("second.gltf", second.dump())});
  double largest = 0, of_one_half = 0;
  for (std::size_t pose = 0; pose < halves[0]["poses"].size(); ++pose) {
    const Json& at = halves[0]["poses"][pose];
    const std::vector<Vec3d> p = positions(model, at["clip"], at["time"]), a = points(at["meshes"][0]),
                             b = points(halves[1]["poses"][pose]["meshes"][0]);
    ASSERT_EQ(p.size(), a.size());
    for (std::size_t v = 0; v < p.size(); ++v) {
      double share[2] = {0, 0};
      for (std::size_t slot = 0; slot < 8; ++slot) share[slot / 4] += raw.weight[8 * v + slot];
      const Vec3d both = (a[v] * share[0] + b[v] * share[1]) / (share[0] + share[1]);
      largest = std::max(largest, length(p[v] - both) / diagonal(p));
      of_one_half = std::max(of_one_half, length(p[v] - a[v]) / diagonal(p));
    }
  }
  EXPECT_LE(largest, kFloats);
  EXPECT_GE(of_one_half, .01);  // the second half moves something
}

// Integers that lack their flag are taken for those that have it.
TEST_F(ThreeJs, WeightsWithoutFlagAreThoseWithIt) {
  const fs::path file = test_models::folder().lexically_normal().parent_path() /
                        "cases/weights/weights_normalized_flag_missing.gltf";
  if (!fs::exists(file)) GTEST_SKIP() << "no cases";
  Json flagged = json_of(file);
  const int weights = flagged["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"];
  flagged["accessors"][static_cast<std::size_t>(weights)]["normalized"] = true;
  EXPECT_LE(departure(read(file), ask({folder_.write("flagged.gltf", flagged.dump())})[0]["poses"]), kFloats);
}

}  // namespace
}  // namespace skinlight
