#include "skinlight/preprocess/centres/rotation_centres.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>

#include "skinlight/mesh/weld.h"
#include "skinlight/preprocess/centres/weighted_surface.h"
#include "skinlight/samples/procedural.h"
#include "testing/centres.h"
#include "testing/gradients.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using test_centres::direct_centres;
using test_centres::radius;

// Of the mesh's radius: what is asked of every exact way to sum.
constexpr double kExact = 1e-12;

// Of the oracle's 4x4 systems on these triangles.
constexpr double kSolver = 1e-10;

struct Case {
  std::string name;
  RiggedMesh mesh;
};

// Smooth and wild weights on every family, some vertices on one bone.
std::vector<Case> rigs() {
  Random random(7);
  std::vector<Case> cases;
  for (const auto& shape :
       {test_meshes::sphere(2), test_meshes::bumpy_sphere(2, random), test_meshes::terrain(7, .2, random),
        test_meshes::slivers(7, random), test_meshes::tangle(40, 90, random)})
    for (const int slots : {2, 8}) {
      cases.push_back({shape.name + ", smooth", test_rigs::bind(shape, 9, slots, random)});
      cases.push_back({shape.name + ", jagged", test_rigs::bind_jagged(shape, 9, slots, random)});
    }
  return cases;
}

TEST(RotationCentres, EqualTheDirectSum_Eq10) {
  for (const Case& c : rigs())
    for (const double sigma : {.1, .5}) {
      const Surface surface(c.mesh.faces, weld(c.mesh));
      const auto direct = direct_centres(c.mesh, sigma);
      for (const CentreMethod method : {CentreMethod::naive, CentreMethod::bone_pairs}) {
        const RotationCentres centres = rotation_centres(c.mesh, surface, {.method = method, .sigma = sigma});
        int compared = 0;
        double worst = 0;
        for (int v = 0; v < c.mesh.vertex_count(); ++v) {
          if (!direct[at(v)]) continue;
          ASSERT_TRUE(centres.has_centre[at(v)]) << c.name << ", vertex " << v;
          worst = std::max(worst, length(centres.centre[at(v)] - *direct[at(v)]));
          ++compared;
        }
        EXPECT_LT(worst, kExact * radius(c.mesh)) << c.name;
        EXPECT_GT(compared, c.mesh.vertex_count() / 3) << c.name;
      }
    }
}

// The derivative against differences of centres along the two tangents, on a plane where the centres are a
// smooth function of the place.
TEST(RotationCentres, DerivativeIsTheOneRingsGradient) {
  Random random(8);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::terrain(10, .1, random), 5, 3, random);
  const Surface surface(mesh.faces, weld(mesh));
  const RotationCentres centres = rotation_centres(mesh, surface);
  // Eq. 5 per face for each coordinate, averaged by the mixed Voronoi areas.
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    double total = 0;
    for (const Face& f : mesh.faces) {
      const auto corner = std::find(f.begin(), f.end(), v);
      if (corner == f.end()) continue;
      const auto c = static_cast<std::size_t>(corner - f.begin());
      const Vec3d p[3] = {mesh.p0[at(f[0])], mesh.p0[at(f[1])], mesh.p0[at(f[2])]};
      const double share = corner_weight(Averaging::mixed_voronoi, p[c], p[(c + 1) % 3], p[(c + 2) % 3]);
      total += share;
      for (int axis = 0; axis < 3; ++axis) {
        Eigen::Vector3d values;
        for (int k = 0; k < 3; ++k) values[k] = centres.centre[at(f[at(k)])][axis];
        sum.row(axis) += share * test_gradients::solve_eq5(p[0], p[1], p[2], values).transpose();
      }
    }
    const Eigen::Matrix3d gradient = sum / total;
    EXPECT_LT((gradient * eigen(mesh.t0[at(v)]) - eigen(centres.along_t[at(v)])).norm(),
              kSolver * gradient.norm());
    EXPECT_LT((gradient * eigen(mesh.b0[at(v)]) - eigen(centres.along_b[at(v)])).norm(),
              kSolver * gradient.norm());
    EXPECT_GT(gradient.norm(), 0);
  }
}

// On one bone Eq. 10 reads 0 / 0. Where the weights begin to change, the centre is the limit along them;
// where they do not, there is none and the vertex stands in for it.
TEST(RotationCentres, OfSingleBoneVerticesAreLimitsOrAbsent) {
  const RiggedMesh mesh = cylinder({}, {.segments = 16}).mesh;
  const Surface surface(mesh.faces, weld(mesh));
  const RotationCentres centres = rotation_centres(mesh, surface);
  RiggedMesh nearly = mesh;  // the same with a weight of 1e-9 instead of 0
  for (std::size_t v = 0; v < nearly.p0.size(); ++v)
    if (nearly.weight[2 * v + 1] == 0) {
      nearly.weight[2 * v] = 1 - 1e-9;
      nearly.weight[2 * v + 1] = 1e-9;
      nearly.bone[2 * v + 1] = 1 - nearly.bone[2 * v];
    }
  const auto limits = direct_centres(nearly, .1);
  int single = 0, absent = 0, limit = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.weights_of(v)[1] > 0) continue;
    ++single;
    if (centres.has_centre[at(v)]) {
      ++limit;
      EXPECT_LT(length(centres.centre[at(v)] - *limits[at(v)]), 1e-6) << v;
    } else {
      ++absent;
      EXPECT_EQ(centres.centre[at(v)], mesh.p0[at(v)]);
      EXPECT_EQ(length(centres.along_t[at(v)]) + length(centres.along_b[at(v)]), 0);
    }
  }
  EXPECT_EQ(limit, 2 * 17);  // the ring beyond either end of the ramp; the seam counts twice
  EXPECT_GT(absent, 0);
  EXPECT_EQ(centres.single_bone, single);
  EXPECT_EQ(centres.limits, limit);
  EXPECT_EQ(centres.without_centre, absent);
}

// With several bones around, the limit is that of weights in their mean proportions.
TEST(RotationCentres, LimitsFollowTheMeanWeightsOfTheOneRing) {
  RiggedMesh fan;  // vertex 0 on bone 0, in the middle of six that carry bones 1 and 2 unequally
  fan.bone_count = fan.slots = 3;
  Random random(17);
  const auto add = [&](Vec3d p, double w0, double w1) {
    fan.p0.push_back(p);
    fan.n0.emplace_back(0, 0, 1);
    fan.bone.insert(fan.bone.end(), {0, 1, 2});
    fan.weight.insert(fan.weight.end(), {w0, w1, 1 - w0 - w1});
  };
  add(Vec3d(0.0), 1, 0);
  double mean[2] = {0, 0};
  for (int i = 0; i < 6; ++i) {
    const double height = random.uniform(), w0 = random.uniform(.5, .6), w1 = random.uniform(.05, .35);
    add({std::cos(i * M_PI / 3), std::sin(i * M_PI / 3), height}, w0, w1);
    fan.faces.push_back({0, i + 1, (i + 1) % 6 + 1});
    mean[0] += fan.weight[at(3 * i + 4)] / 6;
    mean[1] += fan.weight[at(3 * i + 5)] / 6;
  }
  RiggedMesh nearly = fan;
  constexpr double kSmall = 1e-9;
  nearly.weight[1] = kSmall * mean[0];
  nearly.weight[2] = kSmall * mean[1];
  nearly.weight[0] = 1 - nearly.weight[1] - nearly.weight[2];
  for (RiggedMesh* mesh : {&fan, &nearly}) {
    std::vector<Warning> none;
    normalize_weights(*mesh, none);
    compute_tangent_frames(*mesh);
  }
  const RotationCentres centres = rotation_centres(fan, Surface(fan.faces, weld(fan)));
  EXPECT_EQ(centres.limits, 1);
  EXPECT_LT(length(centres.centre[0] - *direct_centres(nearly, .1)[0]), 1e-6);
}

// Where the mesh is does not matter: the sums are taken about its middle.
TEST(RotationCentres, MoveWithTheMesh) {
  Random random(9);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 6, 4, random);
  const RotationCentres here = rotation_centres(mesh, Surface(mesh.faces, weld(mesh)));
  RiggedMesh away = mesh;
  const Vec3d offset(3e5, -1e5, 2e5);
  for (Vec3d& p : away.p0) p += offset;
  const RotationCentres there = rotation_centres(away, Surface(away.faces, weld(away)));
  // Positions of size 3e5 are stored to 6e-11; triangles of edge .5 then have areas within 1e-9 of the same.
  for (int v = 0; v < mesh.vertex_count(); ++v)
    EXPECT_LT(length(there.centre[at(v)] - offset - here.centre[at(v)]), 1e-9);
}

bool same_bits(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](Vec3d p, Vec3d q) { return p == q; });
}

TEST(RotationCentres, DoNotDependOnTheThreadCount) {
  Random random(10);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::bumpy_sphere(4, random), 12, 4, random);
  const Surface surface(mesh.faces, weld(mesh));
  for (const CentreMethod method :
       {CentreMethod::bone_pairs, CentreMethod::naive, CentreMethod::breadth_first}) {
    const RotationCentres one = rotation_centres(mesh, surface, {.method = method, .threads = 1});
    for (const int threads : {2, 3, 8}) {
      const RotationCentres many = rotation_centres(mesh, surface, {.method = method, .threads = threads});
      EXPECT_TRUE(same_bits(one.centre, many.centre));
      EXPECT_TRUE(same_bits(one.along_t, many.along_t));
      EXPECT_TRUE(same_bits(one.along_b, many.along_b));
      EXPECT_EQ(one.has_centre, many.has_centre);
    }
  }
}

TEST(RotationCentres, TwinsOfAWeldedVertexHaveOne) {
  const RiggedMesh mesh = cylinder({}, {.segments = 12}).mesh;
  const std::vector<int> welded = weld(mesh);
  const RotationCentres centres = rotation_centres(mesh, Surface(mesh.faces, welded));
  int twins = 0;
  for (int a = 0; a < mesh.vertex_count(); ++a)
    for (int b = 0; b < a; ++b)
      if (welded[at(a)] == welded[at(b)] && centres.has_centre[at(a)]) {
        ++twins;
        EXPECT_EQ(centres.centre[at(a)], centres.centre[at(b)]);
        // One gradient, seen in each vertex's own frame.
        const Vec3d g = centres.along_t[at(a)] * dot(mesh.t0[at(a)], mesh.t0[at(b)]) +
                        centres.along_b[at(a)] * dot(mesh.b0[at(a)], mesh.t0[at(b)]);
        EXPECT_LT(length(g - centres.along_t[at(b)]), 1e-12);
      }
  EXPECT_GT(twins, 5);
}

// Two tubes apart, bound alike: their centres pull each other, as Eq. 10 has no idea of connection; and a
// third with bones of its own does not take part.
TEST(RotationCentres, DisconnectedPartsCountWhereTheyShareBones) {
  RiggedMesh tube = cylinder({}, {.segments = 12}).mesh;
  tube.bone_count = 5;  // bone 4 moves nothing
  const auto append = [](RiggedMesh& to, const RiggedMesh& part, Vec3d offset, int bones) {
    const int first = to.vertex_count();
    for (std::size_t v = 0; v < part.p0.size(); ++v) {
      to.p0.push_back(part.p0[v] + offset);
      to.n0.push_back(part.n0[v]);
      to.t0.push_back(part.t0[v]);
      to.b0.push_back(part.b0[v]);
      to.handedness.push_back(part.handedness[v]);
      to.frame_source.push_back(part.frame_source[v]);
      to.uv.push_back(part.uv[v]);
    }
    for (const int b : part.bone) to.bone.push_back(b + bones);
    to.weight.insert(to.weight.end(), part.weight.begin(), part.weight.end());
    for (const Face& f : part.faces) to.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  };
  RiggedMesh all = tube;
  append(all, tube, Vec3d(10, 0, 0), 0);
  append(all, tube, Vec3d(0, 20, 0), 2);
  validate(all);
  const RotationCentres alone = rotation_centres(tube, Surface(tube.faces, weld(tube)));
  const RotationCentres centres = rotation_centres(all, Surface(all.faces, weld(all)));
  const int n = tube.vertex_count();
  for (int v = 0; v < n; ++v) {
    if (!alone.has_centre[at(v)]) continue;
    const Vec3d c = alone.centre[at(v)];
    EXPECT_LT(length(centres.centre[at(v)] - (c + Vec3d(5, 0, 0))), 1e-11);
    EXPECT_LT(length(centres.centre[at(v + n)] - (c + Vec3d(5, 0, 0))), 1e-11);
    EXPECT_LT(length(centres.centre[at(v + 2 * n)] - (c + Vec3d(0, 20, 0))), 1e-11);
  }
}

// Nothing to divide by, nothing that is not a number.
TEST(RotationCentres, OfDegenerateMeshesAreFinite) {
  Random random(11);
  RiggedMesh flat = test_rigs::bind_jagged(test_meshes::terrain(5, .1, random), 4, 4, random);
  for (Vec3d& p : flat.p0) p = Vec3d(1, 2, 3);  // no area at all
  RiggedMesh rigid = test_rigs::bind(test_meshes::sphere(1), 1, 1, random);
  RiggedMesh empty;
  empty.bone_count = empty.slots = 1;
  for (const RiggedMesh& mesh : {flat, rigid, empty}) {
    const Surface surface(mesh.faces, weld(mesh));
    for (const CentreMethod method :
         {CentreMethod::bone_pairs, CentreMethod::naive, CentreMethod::breadth_first}) {
      const RotationCentres centres = rotation_centres(mesh, surface, {.method = method});
      EXPECT_EQ(centres.without_centre, mesh.vertex_count());
      for (int v = 0; v < mesh.vertex_count(); ++v) {
        EXPECT_EQ(centres.centre[at(v)], mesh.p0[at(v)]);
        EXPECT_EQ(length(centres.along_t[at(v)]) + length(centres.along_b[at(v)]), 0);
      }
    }
  }
}

TEST(RotationCentres, TellTheirProgressAndStopWhenItThrows) {
  Random random(12);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(3), 6, 4, random);
  const Surface surface(mesh.faces, weld(mesh));
  for (const CentreMethod method :
       {CentreMethod::bone_pairs, CentreMethod::naive, CentreMethod::breadth_first}) {
    std::vector<double> shares;
    rotation_centres(mesh, surface, {.method = method, .threads = 1, .progress = [&](double share) {
                                       shares.push_back(share);
                                     }});
    ASSERT_GT(shares.size(), 1u);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_EQ(shares.back(), 1);
    const auto cancel = [](double) { throw std::runtime_error("cancelled"); };
    EXPECT_THROW(rotation_centres(mesh, surface, {.method = method, .progress = cancel}), std::runtime_error);
  }
}

TEST(RotationCentres, OptionsOutOfRangeAreNamed) {
  Random random(13);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(1), 3, 2, random);
  const Surface surface(mesh.faces, weld(mesh));
  const auto message = [&](const CentreOptions& options) -> std::string {
    try {
      rotation_centres(mesh, surface, options);
      return "no error";
    } catch (const InputError& e) {
      return e.what();
    }
  };
  using testing::HasSubstr;
  for (const double bad : {0.0, -.1, double(NAN), double(INFINITY)}) {
    EXPECT_THAT(message({.sigma = bad}), HasSubstr("sigma"));
    EXPECT_THAT(message({.method = CentreMethod::breadth_first, .cutoff = bad}), HasSubstr("cutoff"));
    EXPECT_THAT(message({.method = CentreMethod::breadth_first, .omega = bad}), HasSubstr("omega"));
  }
  for (const double bad : {-.1, .001, 2.5, double(NAN)})
    EXPECT_THAT(message({.subdivide_above = bad}), HasSubstr("subdivision threshold"));
  const Surface other(std::vector<Face>{{0, 1, 2}}, std::vector<int>{0, 1, 2});
  EXPECT_THROW(rotation_centres(mesh, other), InputError);
}

// The paper's search written as what it finds: the least set of triangles that holds those of similar
// vertices and with every similar triangle its neighbours.
TEST(BreadthFirst, SumsWhatTheSearchReaches_Alg4) {
  Random random(14);
  constexpr double kSigma = .1, kOmega = .1;
  int partial = 0, none = 0;
  // Parts with similar weights that no edge connects.
  test_meshes::TriangleMesh two = test_meshes::sphere(2);
  const int first = static_cast<int>(two.p.size());
  for (const Face& f : test_meshes::sphere(2).faces)
    two.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  for (const Vec3d& p : test_meshes::sphere(2).p) two.p.push_back(p * .93);
  for (const auto& shape : {test_meshes::sphere(3), test_meshes::terrain(12, .2, random), two})
    for (const double cutoff : {1e-2, 1e-4, 1e-6}) {
      const RiggedMesh mesh = test_rigs::bind(shape, 7, 3, random);
      const RotationCentres found = rotation_centres(
          mesh, Surface(mesh.faces, weld(mesh)),
          {.method = CentreMethod::breadth_first, .sigma = kSigma, .cutoff = cutoff, .omega = kOmega});
      const test_centres::Search search(mesh, kSigma);
      for (int v = 0; v < mesh.vertex_count(); v += 7) {
        const auto [expected, reached] = search.centre(v, cutoff, kOmega);
        ASSERT_EQ(expected.has_value(), found.has_centre[at(v)] != 0);
        if (expected) {
          EXPECT_LT(length(found.centre[at(v)] - *expected), kExact * radius(mesh));
        }
        partial += reached > 0 && reached < static_cast<int>(mesh.faces.size());
        none += reached == 0;
      }
    }
  EXPECT_GT(partial, 50);
  EXPECT_GT(none, 0);
}

TEST(BreadthFirst, WithoutLimitsIsTheExactSum) {
  Random random(15);
  const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(3), 6, 4, random);
  const Surface surface(mesh.faces, weld(mesh));
  const RotationCentres exact = rotation_centres(mesh, surface),
                        search = rotation_centres(
                            mesh, surface,
                            {.method = CentreMethod::breadth_first, .cutoff = 1e-300, .omega = 2});
  for (int v = 0; v < mesh.vertex_count(); ++v)
    EXPECT_LT(length(exact.centre[at(v)] - search.centre[at(v)]), kExact * radius(mesh));
}

TEST(WeightSubdivision, LeavesNoEdgeAboveTheThresholdAndTheSurfaceAsItWas) {
  Random random(16);
  auto shapes = test_meshes::manifold_families(random);
  shapes.push_back(test_meshes::tangle(30, 60, random));
  for (const auto& shape : shapes)
    for (const double threshold : {.1, .3}) {
      const RiggedMesh mesh = test_rigs::bind_jagged(shape, 6, 4, random);
      const WeightedSurface coarse = weighted_surface(mesh, Surface(mesh.faces, weld(mesh)));
      const WeightedSurface fine = subdivide_by_weights(coarse, threshold);
      const auto sum = [](const WeightedSurface& s) {
        // Area, and the integrals of position and of one bone's weight: linear functions per triangle.
        const WeightedTriangles triangles = weighted_triangles(s);
        std::vector<double> sums(5, 0);
        for (int t = 0; t < triangles.count(); ++t) {
          const double area = triangles.area[at(t)];
          sums[0] += area;
          for (int c = 0; c < 3; ++c) sums[at(c) + 1] += area * triangles.centroid[at(t)][c];
          for (std::size_t k = 0; k < triangles.weights.bones(t).size(); ++k)
            if (triangles.weights.bones(t)[k] == 2) sums[4] += area * triangles.weights.weights(t)[k];
        }
        return sums;
      };
      const auto before = sum(coarse), after = sum(fine);
      for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_NEAR(after[i], before[i], 1e-11 * before[0] * radius(mesh)) << shape.name;
      EXPECT_GT(fine.face_count(), coarse.face_count());
      double longest = 0;
      std::map<std::pair<int, int>, int> uses;
      for (const Face& f : fine.faces)
        for (std::size_t c = 0; c < 3; ++c) {
          longest = std::max(longest, squared_distance(fine.weights, f[c], fine.weights, f[(c + 1) % 3]));
          ++uses[std::minmax(f[c], f[(c + 1) % 3])];
        }
      EXPECT_LE(longest, threshold * threshold);
      // Neighbours stay neighbours: the boundary is as long as it was, and closed meshes stay closed.
      if (shape.closed) {
        for (const auto& [edge, count] : uses) EXPECT_EQ(count, 2);
      }
      for (int v = 0; v < fine.vertex_count(); ++v) {
        double total = 0;
        for (const double w : fine.weights.weights(v)) total += w;
        EXPECT_NEAR(total, 1, 1e-12);
      }
    }
}

// On a tube the integrals of [BTGM19 Eq. 9] run over z alone, with weights linear between the rings.
double centre_height(const RiggedMesh& tube, double w) {
  std::map<double, double> weight_at;  // of bone 1 at the rings
  for (int v = 0; v < tube.vertex_count(); ++v)
    weight_at[tube.p0[at(v)].z] = tube.weights_of(v)[tube.bones_of(v)[0] == 1 ? 0 : 1];
  constexpr int kSteps = 4000;  // per ring: the midpoint rule's error is below 1e-6
  double top = 0, bottom = 0;
  for (auto low = weight_at.begin(), high = std::next(low); high != weight_at.end(); ++low, ++high)
    for (int i = 0; i < kSteps; ++i) {
      const double x = (i + .5) / kSteps, z = low->first + (high->first - low->first) * x,
                   u = low->second + (high->second - low->second) * x;
      const double difference = (w * (1 - u) - (1 - w) * u) / .1;
      const double s = u * (1 - u) * std::exp(-difference * difference) * (high->first - low->first);
      bottom += s;
      top += s * z;
    }
  return top / bottom;
}

TEST(WeightSubdivision, BringsTheSumToTheIntegral_Eq9) {
  const RiggedMesh tube = cylinder({}, {.segments = 12}).mesh;
  const Surface surface(tube.faces, weld(tube));
  const auto error = [&](double threshold) {
    const RotationCentres centres = rotation_centres(tube, surface, {.subdivide_above = threshold});
    double worst = 0;
    for (int v = 0; v < tube.vertex_count(); ++v)
      if (tube.weights_of(v)[1] > 0) {
        const double w = tube.weights_of(v)[tube.bones_of(v)[0] == 1 ? 0 : 1];
        worst = std::max(worst, length(centres.centre[at(v)] - Vec3d(0, 0, centre_height(tube, w))));
      }
    return worst;
  };
  EXPECT_GT(error(0), .02);
  EXPECT_LT(error(.1), .022);
  EXPECT_LT(error(.01), .002);
}

}  // namespace
}  // namespace skinlight
