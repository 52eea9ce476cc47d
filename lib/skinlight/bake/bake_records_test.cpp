// Baking smooth weights and deform vectors: what the file holds, against the definitions and the library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/bake/bake.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "testing/bake.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::Folder;
using test_bake::decoded;
using test_bake::FileVectors;
using test_bake::grid;
using test_bake::half_step;
using test_bake::mark_of;
using test_bake::Tau;
using test_bake::text_of;
using test_baked::BakedFile;
using test_baked::bytes_of;
using test_baked::Json;
using test_baked::Rows;
using testing::HasSubstr;

constexpr RecordKind kFactors = RecordKind::deform_factors, kSmoothed = RecordKind::smoothed,
                     kVectors = RecordKind::deform_vectors;

Surface surface_of(const RiggedMesh& mesh) { return {mesh.faces, weld(mesh)}; }

std::set<std::string> names_of(const BakedFile& file) {
  std::set<std::string> names;
  for (const auto& [name, accessor] : file.attributes(0, 0).items()) names.insert(name);
  return names;
}

// (along_t, alpha) or (along_b, beta) of a slot.
struct DeformVector {
  Vec3d v;
  double w;
};

DeformVector vector_of(const NormalRecord& f, bool along_t, std::size_t i) {
  return {(along_t ? f.along_t : f.along_b)[i], (along_t ? f.alpha : f.beta)[i]};
}

bool is_zero(const DeformVector& tau) { return tau.w == 0 && tau.v == Vec3d(0.0); }

// How far the sums of the vectors are from the tangents.
double largest_gap(const NormalRecord& vectors, const RiggedMesh& mesh) {
  double largest = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (const bool along_t : {true, false}) {
      DeformVector sum{-(along_t ? mesh.t0 : mesh.b0)[at(v)], 0};
      for (int s = 0; s < vectors.slots; ++s) {
        const DeformVector tau = vector_of(vectors, along_t, vectors.at(v, s));
        sum.v += tau.v;
        sum.w += tau.w;
      }
      largest = std::max({largest, length(sum.v), std::abs(sum.w)});
    }
  return largest;
}

TEST(BakeRecords, UnusedSlotsOfVectorsAreJointZeroAndNothing) {
  const Folder folder("bake_unused");
  const fs::path in = folder.write("in.glb", gltf_test::strip().glb()), out = in.parent_path() / "out.glb";
  bake_gltf(in, out, {.kind = kVectors});
  const BakedFile file(out);
  for (const auto& joints : file.attribute(0, 0, "JOINTS_0")) {
    EXPECT_EQ(joints[2], 0);
    EXPECT_EQ(joints[3], 0);
  }
  for (const char* name : {"_DEFORM_TAU_T_2", "_DEFORM_TAU_B_2", "_DEFORM_TAU_T_3", "_DEFORM_TAU_B_3"})
    for (const auto& tau : file.attribute(0, 0, name)) EXPECT_EQ(tau, (std::vector<double>{0, 0, 0, 0}));
}

TEST(BakeRecords, StoredVectorsAreThoseOfTheLibraryInEveryFormat) {
  const Folder folder("bake_vectors");
  for (const int influences : {4, 8}) {
    const fs::path in = folder.write("grid.gltf", text_of(grid(9, influences / 4, at(influences))));
    const Model model = read_gltf(in, {.max_influences = influences});
    const NormalRecord vectors =
        deform_vectors(model.mesh, surface_of(model.mesh), {.max_slots = influences});
    double largest = 0, largest_pure = 0;
    int added = 0;
    for (std::size_t i = 0; i < vectors.bone.size(); ++i) {
      if (i % at(vectors.slots) == 0) continue;
      for (const bool along_t : {true, false}) {
        const DeformVector tau = vector_of(vectors, along_t, i);
        largest = std::max(largest, std::abs(tau.w));
        for (int c = 0; c < 3; ++c) largest_pure = std::max(largest_pure, std::abs(tau.v[c]));
      }
      if (vectors.weight[i] == 0 && vectors.alpha[i] != 0) ++added;
    }
    ASSERT_GT(added, 10) << "the test needs bones that only one-rings carry";
    for (const NumberFormatRow& format : kNumberFormats) {
      const fs::path out = in.parent_path() / "out.glb";
      const BakeReport report = bake_gltf(in, out, {.kind = kVectors, .format = format.format});
      const BakedFile file(out);
      const FileVectors stored(file);
      const NormalRecord reported =
          stored_record(report.record(), report.character.mesh(), report.ranges, format.format);
      for (int v = 0; v < model.mesh.vertex_count(); ++v)
        for (int s = 1; s < influences; ++s) {
          const std::size_t i = vectors.at(v, s);
          const auto expect = [&](const Tau& tau, const DeformVector& exact, const DeformVector& copy) {
            EXPECT_NEAR(tau.w, exact.w, half_step(format.format, largest)) << format.name << " " << v;
            EXPECT_LE(length(tau.v - exact.v), 2 * half_step(format.format, largest_pure)) << format.name;
            // What the cost in degrees is measured from.
            EXPECT_NEAR(tau.w, copy.w, 1e-12);
            EXPECT_LE(length(tau.v - copy.v), 1e-12);
          };
          const DeformVector t = vector_of(vectors, true, i), b = vector_of(vectors, false, i);
          expect(stored.t[at(v)][at(s - 1)], t, vector_of(reported, true, i));
          const Tau& opposed = stored.b[at(v)][at(s - 1)];  // b of the file runs against rising v
          expect({-opposed.v, -opposed.w}, b, vector_of(reported, false, i));
          const std::string set = std::to_string(s / 4);
          const bool used = vectors.weight[i] > 0 || !is_zero(t) || !is_zero(b);
          EXPECT_EQ(file.attribute(0, 0, "JOINTS_" + set)[at(v)][at(s % 4)], used ? vectors.bone[i] : 0);
          EXPECT_NEAR(file.attribute(0, 0, "WEIGHTS_" + set)[at(v)][at(s % 4)], vectors.weight[i], 1e-7);
        }
      EXPECT_LE(largest_gap(reported, report.character.mesh()), 1e-12) << "slot 0 closes the sums";
    }
  }
}

TEST(BakeRecords, StoredSmoothWeightsAreThoseOfTheLibraryInEveryFormatAndLayout) {
  const Folder folder("bake_smoothed");
  for (const int influences : {4, 8}) {
    const fs::path in = folder.write("grid.gltf", text_of(grid(9, influences / 4, at(influences))));
    const Model model = read_gltf(in, {.max_influences = influences});
    const NormalRecord factors =
        deform_factors(model.mesh, surface_of(model.mesh), {.max_slots = influences});
    double largest = 0, largest_weight = 0;
    for (std::size_t i = 0; i < factors.alpha.size(); ++i) {
      largest = std::max({largest, std::abs(factors.alpha[i]), std::abs(factors.beta[i])});
      largest_weight = std::max(largest_weight, std::abs(factors.smooth_weight[i]));
    }
    for (const FactorLayout layout : {FactorLayout::attributes, FactorLayout::texcoord})
      for (const NumberFormatRow& format : kNumberFormats) {
        const fs::path out = in.parent_path() / "out.glb";
        const BakeReport report =
            bake_gltf(in, out, {.kind = kSmoothed, .layout = layout, .format = format.format});
        const NormalRecord reported =
            stored_record(report.record(), report.character.mesh(), report.ranges, format.format);
        const BakedFile file(out);
        const Json& mark = mark_of(file);
        EXPECT_EQ(mark["method"], "smoothed");
        const auto number = [&](const std::string& name, int v, int column, const char* scale) {
          return decoded(file.attribute(0, 0, name)[at(v)].at(at(column)), mark, scale);
        };
        for (int v = 0; v < model.mesh.vertex_count(); v += 5) {
          double sum = 0;
          for (int s = 1; s < influences; ++s) {
            const std::size_t i = factors.at(v, s);
            double alpha = 0, weight = 0;
            if (layout == FactorLayout::attributes) {
              const std::string set = std::to_string(s / 4);
              alpha = number("_DEFORM_ALPHA_" + set, v, s % 4, "scale");
              weight = number("_DEFORM_SMOOTH_" + set, v, s % 4, "weight_scale");
            } else {
              const int first = mark["first_texcoord"][0];
              alpha = number("TEXCOORD_" + std::to_string(first + s - 1), v, 0, "scale");
              weight = number("TEXCOORD_" + std::to_string(first + influences - 1 + (s - 1) / 2), v,
                              (s - 1) % 2, "weight_scale");
            }
            EXPECT_NEAR(alpha, factors.alpha[i], half_step(format.format, largest)) << format.name;
            EXPECT_NEAR(weight, factors.smooth_weight[i], half_step(format.format, largest_weight))
                << format.name << " " << name(layout) << " vertex " << v << " slot " << s;
            EXPECT_NEAR(weight, reported.smooth_weight[reported.at(v, s)], 1e-12);
            sum += weight;
          }
          EXPECT_NEAR(reported.smooth_weight[reported.at(v, 0)], 1 - sum, 1e-12);
        }
      }
  }
}

TEST(BakeRecords, TheMarkNamesTheRecordAndItsAveraging) {
  const Folder folder("bake_mark");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 1, 5)));
  const fs::path out = in.parent_path() / "out.glb";
  const auto mark = [&](const BakeOptions& options) {
    bake_gltf(in, out, options);
    return mark_of(BakedFile(out));
  };
  const Json factors = mark({}), smoothed = mark({.kind = kSmoothed}), vectors = mark({.kind = kVectors});
  EXPECT_EQ(factors["method"], "deform-factors");
  EXPECT_EQ(factors["averaging"], "mixed-voronoi");
  EXPECT_FALSE(factors.contains("vector_scale") || factors.contains("weight_scale"));
  EXPECT_EQ(smoothed["method"], "smoothed");
  EXPECT_EQ(smoothed["averaging"], "mixed-voronoi");
  EXPECT_TRUE(smoothed.contains("weight_scale"));
  EXPECT_EQ(vectors["method"], "deform-vectors");
  EXPECT_EQ(vectors["averaging"], "area");
  EXPECT_TRUE(vectors.contains("vector_scale"));
  EXPECT_EQ(mark({.kind = kVectors, .averaging = Averaging::angle})["averaging"], "angle");
}

// Against the numbers of the file itself, corner by corner.
TEST(BakeRecords, PrimitivesTellTheirExtentTheirJointsAndTheirFrames) {
  const Folder folder("bake_extent");
  for (const int sets : {1, 2}) {
    // Normals that differ from vertex to vertex: of equal ones every mean is the same.
    gltf_test::File bent = grid(9, sets, 5);
    std::vector<double> leaning;
    for (int v = 0; v < 49; ++v) leaning.insert(leaning.end(), {std::sin(.03 * v), 0, std::cos(.03 * v)});
    std::string& text = bent.primitives[0];
    const std::string name = R"("NORMAL": )", other = bent.add("VEC3", gltf_test::kFloat, leaning);
    const std::size_t number = text.find(name) + name.size();
    text.replace(number, text.find_first_not_of("0123456789", number) - number, other);
    const fs::path in = folder.write("grid.gltf", text_of(bent));
    const fs::path out = in.parent_path() / "out.glb";
    bake_gltf(in, out);
    const BakedFile file(out);
    const Json& primitive = file.json["meshes"][0]["primitives"][0];
    std::vector<double> low(3, INFINITY), high(3, -INFINITY);
    for (const auto& p : file.attribute(0, 0, "POSITION"))
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], p[axis]);
        high[axis] = std::max(high[axis], p[axis]);
      }
    double extent = 0, joint_sum = 0, weights = 0;
    std::vector<double> corner_joints, frame(6);
    for (std::size_t axis = 0; axis < 3; ++axis) extent = std::max(extent, high[axis] - low[axis]);
    for (int set = 0; set < sets; ++set) {
      const Rows joints = file.attribute(0, 0, "JOINTS_" + std::to_string(set));
      std::size_t k = 0;
      for (const auto& corner : file.accessor(primitive["indices"].get<std::size_t>())) {
        if (set == 0) corner_joints.push_back(0);
        for (std::size_t s = 0; s < 4; ++s)
          corner_joints[k] +=
              (4 * set + static_cast<double>(s) + 1) * joints[at(static_cast<int>(corner[0]))][s];
        ++k;
      }
    }
    const Rows normals = file.attribute(0, 0, "NORMAL"), tangents = file.attribute(0, 0, "TANGENT");
    std::size_t k = 0;
    for (const auto& corner : file.accessor(primitive["indices"].get<std::size_t>())) {
      const double weight = 1 + corner_joints[k++];
      joint_sum += weight - 1;
      weights += weight;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        frame[axis] += weight * normals[at(static_cast<int>(corner[0]))][axis];
        frame[3 + axis] += weight * tangents[at(static_cast<int>(corner[0]))][axis];
      }
    }
    ASSERT_EQ(k, corner_joints.size());
    const Json& mark = primitive["extras"]["skinlight"];
    EXPECT_EQ(mark["extent"], extent);
    EXPECT_EQ(mark["joint_sum"], joint_sum);
    EXPECT_GT(joint_sum, 0);
    ASSERT_EQ(mark["frame"].size(), 6);
    constexpr double kFloat = 1e-7;  // the file has floats, the mark is of the doubles
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(mark["frame"][i].get<double>(), frame[i] / weights, kFloat);
  }
}

// The strip's vertices 2 i and 2 i + 1 stand at height i. Other tools drop or split vertices that no triangle of a primitive
// uses.
TEST(BakeRecords, AnExtentIsThatOfTheVerticesThatTrianglesUse) {
  const Folder folder("bake_extent_of_triangles");
  gltf_test::File file = gltf_test::strip();
  const std::string attributes = file.primitives[0].substr(0, file.primitives[0].rfind(R"("indices")"));
  const auto indexed = [&](const std::vector<double>& corners) {
    return attributes + R"("indices": )" + file.add("SCALAR", gltf_test::kU16, corners) + "}";
  };
  file.primitives.push_back(indexed({0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5}));
  file.primitives.push_back(indexed({0, 1, 2}));
  const fs::path in = folder.write("in.gltf", file.gltf()), out = in.parent_path() / "out.glb";
  bake_gltf(in, out);
  const BakedFile baked(out);
  const auto mark = [&](std::size_t p) {
    return baked.json["meshes"][0]["primitives"][p]["extras"]["skinlight"];
  };
  EXPECT_EQ(mark(0)["extent"], 3);
  EXPECT_FALSE(mark(0).contains("extent_of"));
  EXPECT_EQ(mark(1)["extent"], 2);
  EXPECT_EQ(mark(1)["extent_of"], "triangles");
  EXPECT_EQ(mark(2)["extent"], 1);
  EXPECT_EQ(mark(2)["extent_of"], "triangles");
}

TEST(BakeRecords, BakingTwiceGivesTheSameBytes) {
  const Folder folder("bake_records_twice");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 2, 8)));
  for (const char* kind : {".glb", ".gltf"})
    for (const RecordKind record : {kSmoothed, kVectors})
      for (const FactorLayout layout : {FactorLayout::attributes, FactorLayout::texcoord})
        for (const NumberFormatRow& format : kNumberFormats) {
          if (record == kVectors && layout == FactorLayout::texcoord) continue;
          const BakeOptions options{.kind = record, .layout = layout, .format = format.format};
          const fs::path once = in.parent_path() / (std::string("once") + kind);
          const fs::path twice = in.parent_path() / (std::string("twice") + kind);
          EXPECT_FALSE(bake_gltf(in, once, options).unchanged);
          EXPECT_TRUE(bake_gltf(once, twice, options).unchanged);
          EXPECT_EQ(bytes_of(once), bytes_of(twice)) << kind << " " << format.name;
        }
}

// Vectors that somebody edited are no longer those of the digest.
TEST(BakeRecords, EditedVectorsAreBakedAgain) {
  const Folder folder("bake_records_edited");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 1, 9)));
  const fs::path once = in.parent_path() / "once.glb";
  bake_gltf(in, once, {.kind = kVectors});
  const BakedFile file(once);
  const Json& accessor = file.json["accessors"][file.attributes(0, 0)["_DEFORM_TAU_B_3"].get<std::size_t>()];
  const Json& view = file.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
  std::string bytes = bytes_of(once);
  const std::size_t data = bytes.size() - (file.buffers[0].size() + 3) / 4 * 4;
  char& edited = bytes[data + view["byteOffset"].get<std::size_t>() + 16 * 24];
  edited = static_cast<char>(edited ^ 1);
  const fs::path changed = folder.write("changed.glb", bytes);
  EXPECT_FALSE(bake_gltf(changed, in.parent_path() / "again.glb", {.kind = kVectors}).unchanged);
}

// Whatever was baked before, in whatever layout: the attributes are those of a fresh bake, no more.
TEST(BakeRecords, BakingAnotherRecordLeavesNothingOfTheEarlierOne) {
  const Folder folder("bake_records_again");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 2, 11)));
  const std::vector<BakeOptions> options = {
      {.influences = 8},
      {.layout = FactorLayout::texcoord, .influences = 4},
      {.kind = kSmoothed, .influences = 8},
      {.kind = kSmoothed, .layout = FactorLayout::texcoord, .influences = 8},
      {.kind = kVectors, .influences = 8},
      {.kind = kVectors, .format = NumberFormat::snorm8, .influences = 4}};
  const fs::path fresh = in.parent_path() / "fresh.glb", first = in.parent_path() / "first.glb",
                 again = in.parent_path() / "again.glb";
  for (const BakeOptions& earlier : options)
    for (const BakeOptions& later : options) {
      if (&earlier == &later) continue;
      if (earlier.influences < later.influences) continue;  // bones are gone from the file
      bake_gltf(in, first, earlier);
      bake_gltf(in, fresh, later);
      const BakeReport report = bake_gltf(first, again, later);
      EXPECT_FALSE(report.unchanged);
      EXPECT_EQ(gltf_test::count_of(report.warnings, "was baked before"), 1);
      const BakedFile a(fresh), b(again);
      EXPECT_EQ(names_of(a), names_of(b));
      for (const std::string& attribute : names_of(a)) {
        if (attribute.rfind("_DEFORM_", 0) != 0) continue;
        const Rows x = a.attribute(0, 0, attribute), y = b.attribute(0, 0, attribute);
        ASSERT_EQ(x.size(), y.size());
        const double scale =
            later.format == NumberFormat::snorm8 ? 1.01 / 127 : 1e-5;  // a step; float weights
        for (std::size_t v = 0; v < x.size(); ++v)
          for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(x[v][c], y[v][c], scale) << attribute << " " << v;
      }
    }
}

TEST(BakeRecords, VectorsDoNotFitIntoTexcoords) {
  const Folder folder("bake_records_texcoord");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 1, 5))), out = in.parent_path() / "out.glb";
  try {
    bake_gltf(in, out, {.kind = kVectors, .layout = FactorLayout::texcoord});
    ADD_FAILURE() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.file(), in.string());
    EXPECT_EQ(e.element(), "layout texcoord");
    EXPECT_THAT(e.reason(), HasSubstr("they would take 12"));
  }
  EXPECT_FALSE(fs::exists(out));
}

TEST(BakeRecords, CostsAreThoseOfTheFile) {
  const Folder folder("bake_records_cost");
  const fs::path in = folder.write("grid.gltf", text_of(grid(9, 2, 5))), out = in.parent_path() / "out.glb";
  for (const RecordKind record : {kFactors, kSmoothed, kVectors})
    for (const FactorLayout layout : {FactorLayout::attributes, FactorLayout::texcoord})
      for (const NumberFormatRow& format : kNumberFormats)
        for (const int influences : {4, 8}) {
          if (record == kVectors && layout == FactorLayout::texcoord) continue;
          const BakeReport report = bake_gltf(
              in, out, {.kind = record, .layout = layout, .format = format.format, .influences = influences});
          const RecordCost cost = record_cost(record, layout, format.format, influences);
          const BakedFile file(out);
          int attributes = 0, bytes = 0;
          for (const auto& [name, accessor] : file.attributes(0, 0).items()) {
            if (name.rfind("_DEFORM_", 0) != 0 && name.rfind("TEXCOORD_", 0) != 0) continue;
            const Json& view =
                file.json["bufferViews"][file.json["accessors"][accessor.get<std::size_t>()]["bufferView"]
                                             .get<std::size_t>()];
            ++attributes;
            bytes += static_cast<int>((view["byteLength"].get<std::size_t>() + 3) / 49);
          }
          EXPECT_EQ(cost.attributes, attributes);
          EXPECT_EQ(cost.bytes, bytes) << row(record).name << " " << format.name << " " << influences;
          EXPECT_EQ(report.attributes, static_cast<int>(file.attributes(0, 0).size()));
        }
  EXPECT_EQ(record_cost(kVectors, FactorLayout::attributes, NumberFormat::f32, 4).bytes, 96);
  EXPECT_EQ(record_cost(kVectors, FactorLayout::attributes, NumberFormat::snorm8, 4).bytes, 24);
  EXPECT_EQ(record_cost(kVectors, FactorLayout::attributes, NumberFormat::f32, 8).attributes, 14);
}

}  // namespace
}  // namespace skinlight
