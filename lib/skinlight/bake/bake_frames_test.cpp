// Baking deform frames: what the file holds, against the library, and normals of a reader that has nothing but the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/bake/bake.h"
#include "skinlight/bake/detail/gltf_frames.h"
#include "skinlight/bake/stale.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/rig/typical_poses.h"
#include "skinlight/skinning/skin.h"
#include "testing/bake.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::Folder;
using test_bake::grid;
using test_bake::half_of;
using test_bake::half_step;
using test_bake::mark_of;
using test_bake::text_of;
using test_baked::BakedFile;
using test_baked::bytes_of;
using test_baked::Rows;
using testing::HasSubstr;

constexpr int kFramesOfFile = 2;

// The frames of a file's first primitive, by what bake/bake.h says of it.
FrameRecord read_back(const BakedFile& file, int vertices) {
  const test_baked::Json& mark = mark_of(file);
  const bool halves = mark["format"] == "f16", scaled = mark["format"] != "f32";
  const auto rows = [&](const std::string& name) { return file.attribute(0, 0, "_DEFORM_FRAME_" + name); };
  FrameRecord record;
  record.slots = mark["influences"];
  record.frames = mark["frames"];
  std::vector<Rows> offsets;
  const int per_frame = record.slots - 1;
  for (int n = 0; 4 * n < record.frames * per_frame; ++n) offsets.push_back(rows("W_" + std::to_string(n)));
  std::vector<Rows> joints, weights, t, b;
  for (int set = 0; 4 * set < record.slots; ++set) {
    joints.push_back(file.attribute(0, 0, "JOINTS_" + std::to_string(set)));
    weights.push_back(file.attribute(0, 0, "WEIGHTS_" + std::to_string(set)));
  }
  for (int k = 0; k < record.frames; ++k) {
    t.push_back(rows("T_" + std::to_string(k)));
    b.push_back(rows("B_" + std::to_string(k)));
  }
  const Rows scales = scaled ? rows("SCALE") : Rows(at(vertices), {1, 1});
  for (int v = 0; v < vertices; ++v) {
    const auto number = [&](double x, std::size_t unit) {
      return scales[at(v)][unit] * (halves ? half_of(x) : x);
    };
    for (int s = 0; s < record.slots; ++s) {
      record.bone.push_back(static_cast<int>(joints[at(s / 4)][at(v)][at(s % 4)]));
      record.weight.push_back(weights[at(s / 4)][at(v)][at(s % 4)]);
    }
    for (int k = 0; k < record.frames; ++k) {
      double rest = 0;
      record.frame_offset.push_back(0);
      for (int s = 1; s < record.slots; ++s) {
        const int i = k * per_frame + s - 1;
        record.frame_offset.push_back(number(offsets[at(i / 4)][at(v)][at(i % 4)], 0));
        rest -= record.frame_offset.back();
      }
      record.frame_offset[record.at_offset(v, k, 0)] = rest;
      const std::vector<double>&along_t = t[at(k)][at(v)], &along_b = b[at(k)][at(v)];
      record.frame_t.emplace_back(number(along_t[0], 0), number(along_t[1], 0), number(along_t[2], 0));
      record.frame_alpha.push_back(number(along_t[3], 1));
      // b of the file runs against rising v
      record.frame_b.emplace_back(-number(along_b[0], 0), -number(along_b[1], 0), -number(along_b[2], 0));
      record.frame_beta.push_back(-number(along_b[3], 1));
    }
  }
  return record;
}

// Files write their scales in float.
constexpr double kFloatScale = 1e-7;

TEST(BakeFrames, StoredFramesAreThoseOfTheLibraryInEveryFormat) {
  const Folder folder("bake_frames");
  for (const auto& [sets, asked, slots] : {std::array{1, 0, 5}, {1, 6, 6}, {2, 0, 8}}) {
    const fs::path in = folder.write("grid.gltf", text_of(grid(9, sets, at(sets))));
    const Character character(read_gltf(in, {.max_influences = slots}), {.max_slots = slots});
    for (const Method method : {Method::dqs, Method::log}) {
      const FrameRecord& exact = character.frames(method);
      ASSERT_EQ(exact.slots, slots);
      for (const NumberFormatRow& format : kNumberFormats) {
        SCOPED_TRACE(std::string(format.name) + " " + std::to_string(slots));
        const fs::path out = in.parent_path() / "out.glb";
        const BakeReport report =
            bake_gltf(in, out, {.frames = method, .format = format.format, .influences = asked});
        EXPECT_EQ(report.record().slots, slots);
        const BakedFile file(out);
        const int vertices = character.mesh().vertex_count();
        const FrameRecord got = read_back(file, vertices), stored = stored_frames(exact, format.format);
        int added = 0;
        for (int v = 0; v < vertices; ++v) {
          double pure = 0, per_length = 0;
          for (int k = 0; k < kFramesOfFile; ++k) {
            const std::size_t i = exact.at_frame(v, k);
            for (int s = 1; s < slots; ++s)
              pure = std::max(pure, std::abs(exact.frame_offset[exact.at_offset(v, k, s)]));
            for (int c = 0; c < 3; ++c)
              pure = std::max({pure, std::abs(exact.frame_t[i][c]), std::abs(exact.frame_b[i][c])});
            per_length =
                std::max({per_length, std::abs(exact.frame_alpha[i]), std::abs(exact.frame_beta[i])});
          }
          const auto expect = [&](double x, double of_library, double of_storage, double largest) {
            EXPECT_NEAR(x, of_library, half_step(format.format, largest) + kFloatScale * largest);
            EXPECT_NEAR(x, of_storage, kFloatScale * largest);
          };
          for (int k = 0; k < kFramesOfFile; ++k) {
            const std::size_t i = exact.at_frame(v, k);
            for (int s = 1; s < slots; ++s) {
              const std::size_t o = exact.at_offset(v, k, s);
              expect(got.frame_offset[o], exact.frame_offset[o], stored.frame_offset[o], pure);
            }
            for (int c = 0; c < 3; ++c) {
              expect(got.frame_t[i][c], exact.frame_t[i][c], stored.frame_t[i][c], pure);
              expect(got.frame_b[i][c], exact.frame_b[i][c], stored.frame_b[i][c], pure);
            }
            expect(got.frame_alpha[i], exact.frame_alpha[i], stored.frame_alpha[i], per_length);
            expect(got.frame_beta[i], exact.frame_beta[i], stored.frame_beta[i], per_length);
          }
          for (int s = 0; s < slots; ++s) {
            const std::size_t i = exact.at(v, s);
            bool moves = exact.weight[i] != 0;
            for (int k = 0; k < kFramesOfFile; ++k)
              moves = moves || exact.frame_offset[exact.at_offset(v, k, s)] != 0;
            EXPECT_EQ(got.bone[i], moves ? exact.bone[i] : 0);
            EXPECT_NEAR(got.weight[i], exact.weight[i], kFloatScale);
            if (moves && exact.weight[i] == 0) ++added;
          }
        }
        EXPECT_GT(added, 10) << "the test needs bones that only one-rings carry";
      }
    }
  }
}

// A reader that has nothing but the file gets the normals that were measured: its mesh, its frames, the kernel.
TEST(BakeFrames, NormalsOfTheFileAreThoseOfTheCharacter) {
  // Degrees, over all vertices: 16 bits lose below a hundredth on game models (beyond/coarse_nonlinear), on this grid of
  // bumps with bones at random .03; of 8 bits a step is a 254th.
  constexpr double kDegreesOf[] = {1e-3, .1, .05, 10};
  const Folder folder("bake_frames_read");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 1, 5))), out = in.parent_path() / "out.glb";
  const Character character(read_gltf(in));
  const Pose pose = random_joint_poses(character.model().skeleton, 1, M_PI / 6, 3).front();
  for (const Method method : {Method::dqs, Method::sbs, Method::log})
    for (const NumberFormatRow& format : kNumberFormats) {
      bake_gltf(in, out, {.frames = method, .format = format.format});
      const BakedFile file(out);
      const RiggedMesh mesh = read_gltf(out).mesh;
      const FrameRecord frames = read_back(file, mesh.vertex_count());
      SkinData data;
      data.frames = &frames;
      const SkinOptions options{.method = method, .mode = NormalMode::deform_frames};
      const auto got = skin<double>(mesh, data, pose, options),
                 wanted = skin<double>(character.mesh(), character.data(method, options.mode), pose, options),
                 standard = skin<double>(mesh, data, pose, {.method = method, .mode = NormalMode::standard});
      double largest = 0, from_standard = 0;
      for (std::size_t v = 0; v < got.n.size(); ++v) {
        largest = std::max(largest, angle_between(got.n[v], wanted.n[v]) * kDegrees);
        from_standard = std::max(from_standard, angle_between(got.n[v], standard.n[v]) * kDegrees);
      }
      EXPECT_LT(largest, kDegreesOf[static_cast<std::size_t>(format.format)])
          << format.name << " " << row(method).name;
      EXPECT_GT(from_standard, 20) << "there is something to see";
    }
}

TEST(BakeFrames, BakingTwiceGivesTheSameBytesAndAnEditIsSeen) {
  const Folder folder("bake_frames_twice");
  for (const int sets : {1, 2}) {
    const fs::path in = folder.write("grid.gltf", text_of(grid(9, sets, 8)));
    for (const char* kind : {".glb", ".gltf"})
      for (const NumberFormatRow& format : kNumberFormats) {
        const BakeOptions options{.frames = Method::dqs, .format = format.format};
        const fs::path once = in.parent_path() / (std::string("once") + kind);
        const fs::path twice = in.parent_path() / (std::string("twice") + kind);
        EXPECT_FALSE(bake_gltf(in, once, options).unchanged);
        EXPECT_TRUE(bake_gltf(once, twice, options).unchanged) << format.name << " " << sets;
        EXPECT_EQ(bytes_of(once), bytes_of(twice)) << kind << " " << format.name;
        EXPECT_TRUE(stale_bakes(once).empty());
      }
    const fs::path once = in.parent_path() / "once.glb";
    const BakedFile file(once);
    const auto& accessor =
        file.json["accessors"][file.attributes(0, 0)["_DEFORM_FRAME_B_1"].get<std::size_t>()];
    const auto& view = file.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    std::string bytes = bytes_of(once);
    const std::size_t data = bytes.size() - (file.buffers[0].size() + 3) / 4 * 4;
    char& edited = bytes[data + view["byteOffset"].get<std::size_t>() + 4 * 24];
    edited = static_cast<char>(edited ^ 1);
    EXPECT_EQ(stale_bakes(folder.write("changed.glb", bytes)).size(), 1U);
  }
}

// Of whatever was baked before nothing is left, and nothing of frames by another bake.
TEST(BakeFrames, AnotherRecordLeavesNothingOfThem) {
  const Folder folder("bake_frames_again");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 1, 11)));
  const fs::path framed = in.parent_path() / "framed.glb", out = in.parent_path() / "out.glb";
  const auto names = [](const fs::path& path) {
    const BakedFile file(path);
    std::set<std::string> found;
    for (const auto& [name, accessor] : file.attributes(0, 0).items()) found.insert(name);
    return found;
  };
  bake_gltf(in, framed, {.frames = Method::dqs, .format = NumberFormat::snorm8, .influences = 6});
  for (const RecordKindRow& record : kRecordKinds) {
    bake_gltf(framed, out, {.kind = record.kind, .influences = 4});
    for (const std::string& name : names(out)) EXPECT_THAT(name, testing::Not(HasSubstr("FRAME")));
    bake_gltf(in, out, {.kind = record.kind});
    const fs::path again = in.parent_path() / "again.glb";
    bake_gltf(out, again, {.frames = Method::dqs, .influences = 6});
    for (const std::string& name : names(again))
      EXPECT_TRUE(name.rfind("_DEFORM_", 0) != 0 || name.rfind("_DEFORM_FRAME_", 0) == 0) << name;
  }
}

TEST(BakeFrames, CostsAreThoseOfTheFileAndStayWithinSixteenAttributes) {
  const Folder folder("bake_frames_cost");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 1, 5))), out = in.parent_path() / "out.glb";
  for (const NumberFormatRow& format : kNumberFormats)
    for (const int slots : {5, 6, 8}) {
      const BakeReport report =
          bake_gltf(in, out, {.frames = Method::dqs, .format = format.format, .influences = slots});
      const RecordCost cost = frame_cost(format.format, slots);
      const BakedFile file(out);
      int attributes = 0, bytes = 0;
      for (const auto& [name, accessor] : file.attributes(0, 0).items()) {
        if (name.rfind("_DEFORM_", 0) != 0) continue;
        const auto& view =
            file.json["bufferViews"]
                     [file.json["accessors"][accessor.get<std::size_t>()]["bufferView"].get<std::size_t>()];
        ++attributes;
        bytes += static_cast<int>((view["byteLength"].get<std::size_t>() + 3) / 49);
      }
      EXPECT_EQ(cost.attributes, attributes);
      EXPECT_EQ(cost.bytes, bytes) << format.name << " " << slots;
      EXPECT_EQ(report.attributes, static_cast<int>(file.attributes(0, 0).size()));
      // With position, normal, tangent and the joints; the grid has no texture coordinates.
      if (slots <= 6) {
        EXPECT_LE(report.attributes + 1, 16) << format.name << " " << slots;
      }
    }
  EXPECT_EQ(frame_cost(NumberFormat::f32, 5).bytes, 96);
  EXPECT_EQ(frame_cost(NumberFormat::snorm16, 5).bytes, 56);
  EXPECT_EQ(frame_cost(NumberFormat::snorm8, 5).bytes, 32);
}

TEST(BakeFrames, WhatCannotBeBakedSaysWhyAndWhatToUse) {
  const Folder folder("bake_frames_refused");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 1, 5))), out = in.parent_path() / "out.glb";
  const auto refusal = [&](const BakeOptions& options) -> std::string {
    try {
      bake_gltf(in, out, options);
    } catch (const InputError& e) {
      EXPECT_EQ(e.file(), in.string());
      return e.element() + ": " + e.reason();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal({.frames = Method::crs}),
              HasSubstr("deform frames of crs: cannot be baked: with a centre"));
  EXPECT_THAT(refusal({.frames = Method::lbs}), HasSubstr("bake deform-vectors"));
  EXPECT_THAT(refusal({.frames = Method::dqs, .layout = FactorLayout::texcoord}),
              HasSubstr("use layout attributes"));
  for (const int influences : {4, 9})
    EXPECT_THAT(refusal({.frames = Method::dqs, .influences = influences}), HasSubstr("must be 5 to 8"));
  EXPECT_FALSE(fs::exists(out));
}

TEST(GltfFrames, SlotsAreUnusedWhoseNumbersAreZeroInEveryFrame) {
  const int slots = 2, frames = 3, vertices = 3;
  for (int k = 0; k < frames; ++k) {
    FrameRecord record;
    record.slots = slots;
    record.frames = frames;
    record.weight = {1, 0, 1, 0, 1, 0};
    record.frame_offset.assign(at(vertices * frames * slots), 0);
    record.frame_offset[record.at_offset(1, k, 1)] = .5;  // of the vertex between the others
    for (int v = 0; v < vertices; ++v) {
      EXPECT_FALSE(gltf::is_unused(record, v, 0));
      EXPECT_EQ(gltf::is_unused(record, v, 1), v != 1) << "vertex " << v << ", frame " << k;
    }
  }
}

}  // namespace
}  // namespace skinlight
