#include "skinlight/stability/stages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "skinlight/core/angle.h"
#include "skinlight/core/parallel.h"
#include "skinlight/core/random.h"
#include "skinlight/core/wide.h"
#include "skinlight/mesh/averaging.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/preprocess/weight_gradients.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/stability/detail/angle_functions.h"
#include "skinlight/truth/angular_error.h"

namespace skinlight::stability {

namespace {

using T = DoubleDouble;
using V = Vec3<T>;

constexpr int kRing = 6, kBones = 4;

V wide(Vec3d v) { return V(v); }
double plain(T x) { return static_cast<double>(x); }
Vec3d plain(V v) { return {plain(v.x), plain(v.y), plain(v.z)}; }

double digits_of_share(double error, double of) {
  const double share = error / of;
  if (!std::isfinite(share)) return -1;
  return share > 0 ? std::min(-std::log10(share), kMostStageDigits) : kMostStageDigits;
}

// Differences from the truth, relative to its largest part.
class Worst {
 public:
  void add(double value, T truth) {
    error_ = std::max(error_, std::abs(plain(T(value) - truth)));
    size_ = std::max(size_, std::abs(plain(truth)));
  }
  void add(Vec3d value, V truth) {
    error_ = std::max(error_, length(plain(wide(value) - truth)));
    size_ = std::max(size_, length(plain(truth)));
  }
  double digits() const { return digits_of_share(error_, size_); }

 private:
  double error_ = 0, size_ = 0;
};

Vec3d in_cube(Random& random) {
  const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return {x, y, z};
}

// A vertex, number 0, and its one-ring, in any plane; bones and weights of all. Weights are multiples of a power of two: their sums are 1.
RiggedMesh fan(const StageInput& input, Random& random) {
  RiggedMesh mesh;
  mesh.bone_count = mesh.slots = kBones;
  const Vec3d corner = Vec3d(1, -.7, .4) * input.distance;
  const Vec3d t = normalize(in_cube(random)), b = normalize(cross(t, in_cube(random))), n = cross(t, b);
  for (int i = 0; i <= kRing; ++i) {
    const double angle = (i + random.uniform(-.3, .3)) * 2 * M_PI / kRing, radius = random.uniform(.5, 1.5);
    const double x = cosine(angle - M_PI) * radius, y = sine(angle - M_PI) * radius,
                 z = random.uniform(-.2, .2);
    const Vec3d from_vertex = t * x + b * (y * input.height) + n * (z * input.height);
    mesh.p0.push_back((i == 0 ? Vec3d(0.0) : from_vertex) * input.size + corner);
    mesh.n0.push_back(n);
    mesh.t0.push_back(t);
    mesh.b0.push_back(b);
    mesh.handedness.push_back(1);
    mesh.frame_source.push_back(FrameSource::arbitrary);
    std::array<int, kBones> share;
    int sum = 0;
    for (int& s : share) sum += s = 1 + random.below(1 << 18);
    share[0] += (1 << 20) - sum;
    std::array<int, kBones> bone = {0, 1, 2, 3};
    std::sort(bone.begin(), bone.end(), [&](int i1, int i2) {
      return share[static_cast<std::size_t>(i1)] > share[static_cast<std::size_t>(i2)];
    });
    for (const int of : bone) {
      mesh.bone.push_back(of);
      mesh.weight.push_back(share[static_cast<std::size_t>(of)] * 0x1p-20);
    }
  }
  for (int i = 1; i <= kRing; ++i) mesh.faces.push_back({0, i, i % kRing + 1});
  return mesh;
}

double weight_of(const RiggedMesh& mesh, int vertex, int bone) {
  for (std::size_t s = 0; s < kBones; ++s)
    if (mesh.bones_of(vertex)[s] == bone) return mesh.weights_of(vertex)[s];
  return 0;
}

// A triangle from its corner p. The gradients of the hat functions are the dual vectors of its edges, by the Gram matrix
// of these.
struct Triangle {
  V e1, e2, normal, hat[3];
  T doubled_area;

  Triangle(Vec3d p, Vec3d q, Vec3d r) : e1(wide(q) - wide(p)), e2(wide(r) - wide(p)) {
    const T a = dot(e1, e1), b = dot(e1, e2), c = dot(e2, e2);
    normal = cross(e1, e2);
    doubled_area = sqrt(dot(normal, normal));
    normal = normal / doubled_area;
    const T determinant = a * c - b * b;
    hat[1] = (e1 * c - e2 * b) / determinant;
    hat[2] = (e2 * a - e1 * b) / determinant;
    hat[0] = -hat[1] - hat[2];
  }
  // Of the corner p [Meyer et al. 2003, Sec. 3.3].
  T mixed_voronoi_area() const {
    const V e = e2 - e1;
    const T at_p = dot(e1, e2), at_q = -dot(e1, e), at_r = dot(e2, e);
    if (at_p < T(0)) return doubled_area * T(.25);
    if (at_q < T(0) || at_r < T(0)) return doubled_area * T(.125);
    return (dot(e2, e2) * at_q + dot(e1, e1) * at_r) / (doubled_area * T(8));
  }
};

std::array<Vec3d, 3> corners(const RiggedMesh& mesh, const Face& face) {
  const auto p = [&](std::size_t c) { return mesh.p0[static_cast<std::size_t>(face[c])]; };
  return {p(0), p(1), p(2)};
}

// Averages over the one-ring: bones' gradients [TPS14 Eq. 5] and how it moves with them (BoneMap), applied to t.
struct BoneTruth {
  V gradient{T(0)}, tangent{T(0)};
};
std::array<BoneTruth, kBones> ring_average(const RiggedMesh& mesh, Averaging scheme, Vec3d t) {
  std::array<BoneTruth, kBones> sums;
  T total(0);
  for (const Face& face : mesh.faces) {
    const auto [p, q, r] = corners(mesh, face);
    const Triangle at(p, q, r);
    const T share = scheme == Averaging::area ? at.doubled_area * T(.5) : at.mixed_voronoi_area();
    total = total + share;
    for (int bone = 0; bone < kBones; ++bone) {
      BoneTruth& sum = sums[static_cast<std::size_t>(bone)];
      T w[3];
      for (std::size_t c = 0; c < 3; ++c) w[c] = T(weight_of(mesh, face[c], bone));
      for (std::size_t c = 0; c < 3; ++c) sum.gradient += at.hat[c] * (w[c] * share);
      const V along = at.e1 * (w[1] * dot(at.hat[1], wide(t))) + at.e2 * (w[2] * dot(at.hat[2], wide(t))) +
                      at.normal * (w[0] * dot(at.normal, wide(t)));
      sum.tangent += along * share;
    }
  }
  for (BoneTruth& sum : sums) {
    sum.gradient = sum.gradient / total;
    sum.tangent = sum.tangent / total;
  }
  return sums;
}

double gradients(const StageInput& input, std::uint64_t seed) {
  Random random(seed);
  const RiggedMesh mesh = fan(input, random);
  Worst worst;
  const auto [p, q, r] = corners(mesh, mesh.faces[0]);
  const Triangle truth(p, q, r);
  const std::array<Vec3d, 3> hat = hat_gradients(p, q, r);
  for (std::size_t c = 0; c < 3; ++c) worst.add(hat[c], truth.hat[c]);
  return worst.digits();
}

double averaging(const StageInput& input, std::uint64_t seed) {
  Random random(seed);
  const RiggedMesh mesh = fan(input, random);
  Worst worst;
  for (const Face& face : mesh.faces) {
    const auto [p, q, r] = corners(mesh, face);
    const std::array<double, 3> weight = corner_weights(Averaging::mixed_voronoi, p, q, r);
    worst.add(weight[0], Triangle(p, q, r).mixed_voronoi_area());
    worst.add(weight[1], Triangle(q, r, p).mixed_voronoi_area());
    worst.add(weight[2], Triangle(r, p, q).mixed_voronoi_area());
  }
  return worst.digits();
}

double factors(const StageInput& input, std::uint64_t seed) {
  Random random(seed);
  const RiggedMesh mesh = fan(input, random);
  const NormalRecord record =
      deform_factors(mesh, Surface(mesh.faces, weld(mesh)), {.max_slots = kBones, .threads = 1});
  const auto truth = ring_average(mesh, Averaging::mixed_voronoi, mesh.t0[0]);
  Worst worst;
  for (int s = 0; s < kBones; ++s) {
    const std::size_t i = record.at(0, s);
    const V a = truth[static_cast<std::size_t>(record.bone[i])].gradient;
    worst.add(record.alpha[i], dot(a, wide(mesh.t0[0])));
    worst.add(record.beta[i], dot(a, wide(mesh.b0[0])));
  }
  return worst.digits();
}

double vectors(const StageInput& input, std::uint64_t seed) {
  Random random(seed);
  const RiggedMesh mesh = fan(input, random);
  const NormalRecord record =
      deform_vectors(mesh, Surface(mesh.faces, weld(mesh)), {.max_slots = kBones, .threads = 1});
  Worst linear, fourth;
  for (const bool t : {true, false}) {
    const Vec3d tangent = t ? mesh.t0[0] : mesh.b0[0];
    const auto truth = ring_average(mesh, Averaging::area, tangent);
    for (int s = 0; s < kBones; ++s) {
      const std::size_t i = record.at(0, s);
      const BoneTruth& of = truth[static_cast<std::size_t>(record.bone[i])];
      linear.add((t ? record.along_t : record.along_b)[i], of.tangent);
      fourth.add((t ? record.alpha : record.beta)[i], dot(of.gradient, wide(tangent)));
    }
  }
  return std::min(linear.digits(), fourth.digits());
}

// For -100 <= x <= 0: the series of exp of a small part of x, squared as often as that was halved; beyond 1e-22.
T exponential(T x) {
  constexpr int kHalvings = 6, kTerms = 9;
  constexpr double kLog2 = 0x1.62e42fefa39efp-1, kLog2Rest = 0x1.abc9e3b39803fp-56;
  const double powers = std::nearbyint(plain(x) / kLog2);
  const T part = (x - (T(kLog2) + T(kLog2Rest)) * T(powers)) * T(std::ldexp(1.0, -kHalvings));
  static const std::array<T, kTerms> inverse = [] {
    std::array<T, kTerms> all;
    for (int n = 0; n < kTerms; ++n) all[static_cast<std::size_t>(n)] = T::ratio(1, n + 1);
    return all;
  }();
  T sum(1);
  for (std::size_t n = kTerms; n-- > 0;) sum = T(1) + sum * part * inverse[n];
  for (int i = 0; i < kHalvings; ++i) sum = sum * sum;
  return sum * T(std::ldexp(1.0, static_cast<int>(powers)));
}

// Of all vertices of a fan [BTGM19 Eq. 6, 10], by all triangles.
std::vector<V> ring_centres(const RiggedMesh& mesh, double sigma) {
  struct Weighted {
    std::array<T, kBones> weight{};
    T area;
    V middle;
  };
  const T third = T::ratio(1, 3), inverse_sigma2 = T(1) / (T(sigma) * T(sigma));
  std::vector<Weighted> triangles;
  for (const Face& face : mesh.faces) {
    const auto [p, q, r] = corners(mesh, face);
    const V normal = cross(wide(q) - wide(p), wide(r) - wide(p));
    Weighted t{{}, sqrt(dot(normal, normal)), (wide(p) + wide(q) + wide(r)) * third};
    for (std::size_t bone = 0; bone < kBones; ++bone) {
      T sum(0);
      for (const int corner : face) sum = sum + T(weight_of(mesh, corner, static_cast<int>(bone)));
      t.weight[bone] = sum * third;
    }
    triangles.push_back(t);
  }
  std::vector<V> centres;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    T total(0);
    V sum(T(0));
    for (const Weighted& t : triangles) {
      T similarity(0);
      for (std::size_t j = 0; j < kBones; ++j)
        for (std::size_t k = 0; k < j; ++k) {
          const T w_j(weight_of(mesh, v, static_cast<int>(j))), w_k(weight_of(mesh, v, static_cast<int>(k)));
          const T d = w_j * t.weight[k] - w_k * t.weight[j];
          similarity =
              similarity + w_j * w_k * t.weight[j] * t.weight[k] * exponential(-(d * d * inverse_sigma2));
        }
      total = total + t.area * similarity;
      sum += t.middle * (t.area * similarity);
    }
    centres.push_back(sum / total);
  }
  return centres;
}

// The centre of rotation of the vertex in the middle, and its derivatives along the tangents.
double centres(const StageInput& input, std::uint64_t seed) {
  Random random(seed);
  const RiggedMesh mesh = fan(input, random);
  const CentreOptions options{.threads = 1};
  const RotationCentres found = rotation_centres(mesh, Surface(mesh.faces, weld(mesh)), options);
  const std::vector<V> truth = ring_centres(mesh, options.sigma);
  V along_t(T(0)), along_b(T(0));
  T total(0);
  for (const Face& face : mesh.faces) {
    const auto [p, q, r] = corners(mesh, face);
    const Triangle at(p, q, r);
    const T share = at.mixed_voronoi_area();
    total = total + share;
    for (std::size_t c = 0; c < 3; ++c) {
      const V moved = truth[static_cast<std::size_t>(face[c])] * share;
      along_t += moved * dot(at.hat[c], wide(mesh.t0[0]));
      along_b += moved * dot(at.hat[c], wide(mesh.b0[0]));
    }
  }
  Worst centre, derivative;
  centre.add(found.centre[0], truth[0]);
  derivative.add(found.along_t[0], along_t / total);
  derivative.add(found.along_b[0], along_b / total);
  return std::min(centre.digits(), derivative.digits());
}

// The rest vertex under three morph targets, carried and as authored (shaders/kernels/morph.glsl).
double morph(const StageInput& input, std::uint64_t seed) {
  using K = Kernels<double, 4>;
  Random random(seed);
  // Tangents are nearly parallel, and what targets change as small, as triangles are thin.
  const Vec3d p = in_cube(random) * input.size + Vec3d(1, -.7, .4) * input.distance,
              t = normalize(in_cube(random));
  const Vec3d n = normalize(cross(t, in_cube(random))), b = t + cross(n, t) * input.height;
  const double handedness = random.below(2) == 0 ? 1 : -1;
  const K::RestVertex rest{p, n * handedness, t, b};
  K::RestVertex sum = rest;
  V wide_p = wide(p), wide_n = wide(rest.n), wide_t = wide(t), wide_b = wide(b);
  for (int target = 0; target < 3; ++target) {
    const double size = .3 * input.height;
    const Vec3d dp = in_cube(random) * input.size, dn = in_cube(random) * .3, dt = in_cube(random) * size,
                db = in_cube(random) * size;
    const double weight = random.uniform();
    sum = K().morph_add(sum, {dp, dn, dt, db}, weight);
    wide_p += wide(dp) * T(weight);
    wide_n += wide(dn) * T(weight);
    wide_t += wide(dt) * T(weight);
    wide_b += wide(db) * T(weight);
  }
  const auto unit = [](V v) { return v / sqrt(dot(v, v)); };
  const K::RestVertex carried = K().morph_carried(sum, rest, handedness),
                      authored = K().morph_authored(sum, rest, handedness);
  const V normal = unit(wide_n), tangent = unit(wide_t - normal * dot(normal, wide_t));
  Worst position, carried_normal, authored_frame;
  position.add(carried.p, wide_p);
  carried_normal.add(carried.n, unit(cross(wide_t, wide_b)) * T(handedness));
  authored_frame.add(authored.n, normal);
  authored_frame.add(authored.t, tangent);
  authored_frame.add(authored.b, cross(normal, tangent) * T(handedness));
  return std::min({position.digits(), carried_normal.digits(), authored_frame.digits()});
}

double angle(const StageInput& input, std::uint64_t seed) {
  Random random(seed);
  const Vec3d a = in_cube(random), across = cross(a, in_cube(random)) * input.height;
  const double side = random.below(2) == 0 ? input.size : -input.size;
  const Vec3d b = a * side + across * input.size;
  const V crossed = cross(wide(a), wide(b));
  // What is left of half a turn is what must be right where the angle is near it.
  const double sine = plain(sqrt(dot(crossed, crossed))), along = plain(dot(wide(a), wide(b)));
  const double truth = std::atan2(sine, std::abs(along)), found = angle_between(a, b);
  return along > 0 ? digits_of_share(std::abs(found - truth), truth)
                   : digits_of_share(std::abs((M_PI - found) - truth), M_PI);
}

double statistics(const StageInput& input, std::uint64_t seed) {
  constexpr std::size_t kValues = 200;
  Random random(seed);
  std::vector<double> degrees, weights;
  T sum(0), squares(0), total(0);
  for (std::size_t i = 0; i < kValues; ++i) {
    degrees.push_back((random.uniform() * input.height + input.distance) * input.size);
    weights.push_back(random.uniform(.1, 1) * input.size);
    const T x(degrees.back()), w(weights.back());
    sum = sum + x * w;
    squares = squares + x * x * w;
    total = total + w;
  }
  const NormalError found = error_statistics(degrees, weights, "weights");
  std::vector<std::size_t> order(kValues);
  for (std::size_t i = 0; i < kValues; ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return degrees[a] < degrees[b]; });
  const auto percentile = [&](T share) {
    T covered(0);
    for (const std::size_t i : order) {
      covered = covered + T(weights[i]);
      if (!(covered < share * total)) return degrees[i];
    }
    return degrees[order.back()];
  };
  Worst worst;
  worst.add(found.mean, sum / total);
  worst.add(found.rms, sqrt(squares / total));
  worst.add(found.p95, T(percentile(T::ratio(95, 100))));
  worst.add(found.p99, T(percentile(T::ratio(99, 100))));
  return worst.digits();
}

StageRow stage(const char* name, std::string_view label, double (*digits)(const StageInput&, std::uint64_t)) {
  return {{name, Method::lbs, NormalMode::standard, Guard::none}, label, digits};
}

StageInput stage_input(std::string_view name, std::string_view label, std::uint64_t seed, double height,
                       double distance, double size) {
  return {{.name = name, .label = label, .seed = seed}, height, distance, size};
}

const ScalarRow kDouble{"double", "64-bit floats, as everything outside of the kernels", false, false, 0,
                        nullptr};

template <class Row>
bool chosen(const std::vector<const Row*>& of, const Row& row) {
  return of.empty() || std::find(of.begin(), of.end(), &row) != of.end();
}

}  // namespace

std::span<const StageRow> stages() {
  static const std::array all = {
      stage("stage-gradients", "gradients of the hat functions of a triangle", gradients),
      stage("stage-averaging", "mixed Voronoi areas, by which gradients are averaged", averaging),
      stage("stage-factors", "deform factors of a vertex", factors),
      stage("stage-vectors", "deform vectors of a vertex", vectors),
      stage("stage-centres", "centre of rotation of a vertex and its derivatives", centres),
      stage("stage-morph", "a rest vertex and its frame under morph targets", morph),
      stage("stage-angle", "the angle between two normals", angle),
      stage("stage-statistics", "mean, RMS and percentiles of angles", statistics),
  };
  return all;
}

std::span<const StageInput> stage_inputs() {
  static const std::array all = {
      stage_input("ring", "a one-ring of triangles of size 1", 101, 1, 0, 1),
      stage_input("ring-far", "the same, 10 thousand units from the origin", 102, 1, 1e4, 1),
      stage_input("ring-thin", "triangles of height 1e-3, angles of that size", 103, 1e-3, 0, 1),
      stage_input("ring-slivers", "triangles of height 1e-8, angles of that size", 104, 1e-8, 0, 1),
      stage_input("ring-tiny", "triangles of size 1e-6", 105, 1, 0, 1e-6),
  };
  return all;
}

const ScalarRow& stage_scalar() { return kDouble; }

std::vector<Cell> stage_cells(const Selection& selection) {
  std::vector<Cell> all;
  if (!chosen(selection.scalars, kDouble)) return all;
  for (const StageRow& stage : stages())
    for (const StageInput& input : stage_inputs())
      if (chosen(selection.subjects, stage.subject) && chosen(selection.regimes, input.regime))
        all.push_back({&stage.subject, &input.regime, &kDouble, Quantity::normal});
  return all;
}

std::vector<double> measure_stage(const Cell& cell, int cases, int threads) {
  std::vector<double> digits(static_cast<std::size_t>(cases));
  for (const StageRow& stage : stages())
    for (const StageInput& input : stage_inputs())
      if (&stage.subject == cell.subject && &input.regime == cell.regime)
        parallel_for(cases, threads, [&](int begin, int end) {
          for (int i = begin; i < end; ++i)
            digits[static_cast<std::size_t>(i)] = stage.digits(
                input, Random(input.regime.seed * 0x100000000u + static_cast<std::uint64_t>(i)).bits());
        });
  return digits;
}

}  // namespace skinlight::stability
