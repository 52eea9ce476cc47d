// [BTGM19 Sec. 2 to 6]: what the text and the algorithms say beside the figures.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <string>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/study/posed_shape.h"
#include "repro/study/transformations.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/counted.h"
#include "skinlight/core/random.h"
#include "skinlight/preprocess/centres/centre_sums.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/rig/turn.h"
#include "skinlight/samples/characters.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro::bittner2019::text {

namespace {

using Eigen::Matrix3d, Eigen::Matrix4d, Eigen::Quaterniond, Eigen::Vector3d;

constexpr double kHeights[] = {0, 2, 4, 6, 8, 10};

ProceduralRig shared_cuboid(double half_blend = 1, int across = 4, int along = 60) {
  return cuboid({.across = across, .along = along, .shared = true, .half_blend = half_blend});
}

double operations(Method method, int bones) {
  return static_cast<double>(kernel_operations(method, NormalMode::standard, bones));
}

// What a kernel does for one bone more, and what is left without any.
double per_bone(Method method) { return (operations(method, 4) - operations(method, 2)) / 2; }
double after_the_palette(Method method) { return operations(method, 4) - 4 * per_bone(method); }

// A term of Eq. 5 as it stands: the sign by a scalar product, the weighted sum.
double operations_of_eq_5() {
  using K = Kernels<Counted, 1>;
  K k;
  const K::DualQuaternion sum{}, q{};
  Counted::reset();
  const Counted side = select(k.quaternion_dot(sum.r, q.r) < Counted(0.0), Counted(-1.0), Counted(1.0));
  static_cast<void>(k.dual_quaternion_plus(sum, q, side));
  return static_cast<double>(Counted::operations());
}

Matrix4d eigen(const Mat4x3d& M) {
  Matrix4d out = Matrix4d::Identity();
  for (int column = 0; column < 4; ++column)
    for (int line = 0; line < 3; ++line) out(line, column) = M[column][line];
  return out;
}
Mat4x3d plain(const Matrix4d& M) {
  Mat4x3d out = identity_transform<double>();
  for (int column = 0; column < 4; ++column) out[column] = Vec3d(M(0, column), M(1, column), M(2, column));
  return out;
}

double difference(const Matrix4d& a, const Matrix4d& b) { return (a - b).cwiseAbs().maxCoeff(); }

// A chain of four bones with a bind pose of its own, as in Fig. 3, posed at random.
void bind_pose(Workbench& bench) {
  Random random(3);
  double at_bind = 0, library = 0, printed_at_bind = 0, printed = 0;
  for (int trial = 0; trial < 50; ++trial) {
    Skeleton skeleton, bound;
    Matrix4d world_bind = Matrix4d::Identity(), world = world_bind, literal = world_bind,
             literal_bind = world_bind;
    Matrix4d last = world_bind;
    for (int b = 0; b < 4; ++b) {
      const auto local = [&] {
        const Vec3d axis = random.direction();
        const double radians = random.uniform(-1, 1);
        return turn_about(random.in_cube(1), axis, radians);
      };
      const Mat4x3d bind = local(), posed = local();
      world_bind = world_bind * eigen(bind);
      world = world * eigen(posed);
      // L_b = T_b B_b^-1 for each bone, then S_b = L_root ... L_b, to the letter.
      literal = literal * eigen(posed) * eigen(bind).inverse();
      literal_bind = literal_bind * eigen(bind) * eigen(bind).inverse();
      for (auto [which, matrix] : {std::pair(&skeleton, posed), std::pair(&bound, bind)}) {
        Node& node = which->nodes.emplace_back();
        node.parent = b - 1;
        node.has_matrix = true;
        node.matrix = matrix;
        which->bone_node.push_back(b);
        which->inverse_bind.push_back(plain(world_bind.inverse()));
      }
      last = world * world_bind.inverse();
    }
    const auto leaf = [](const Skeleton& s) { return eigen(default_pose(s).M.back()); };
    at_bind = std::fmax(at_bind, difference(leaf(bound), Matrix4d::Identity()));
    library = std::fmax(library, difference(leaf(skeleton), last));
    printed_at_bind = std::fmax(printed_at_bind, difference(literal_bind, Matrix4d::Identity()));
    printed = std::fmax(printed, difference(literal, last));
  }
  auto& values = bench.results.values;
  values["bind_pose_is_rest"] = std::fmax(at_bind, printed_at_bind);
  values["products_along_the_skeleton"] = library;
  values["printed_chain"] = printed;
}

// Eq. 5 as a running sum: every bone's sign by what has been summed before it.
void running_sum(Workbench& bench) {
  Random random(5);
  constexpr int kTrials = 4000;
  int depends = 0;
  double widest = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::array<Quaterniond, 3> q;
    std::array<double, 3> w{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3d axis = random.direction();
      q[i] = Quaterniond(Eigen::AngleAxisd(random.uniform(0, M_PI), Vector3d(axis.x, axis.y, axis.z)));
      w[i] = random.uniform(0.1, 1);
    }
    const auto summed = [&](std::array<std::size_t, 3> order) {
      Eigen::Vector4d sum = Eigen::Vector4d::Zero();
      for (const std::size_t i : order) {
        const Eigen::Vector4d term = w[i] * q[i].coeffs();
        sum += sum.dot(term) >= 0 ? term : Eigen::Vector4d(-term);
      }
      return Quaterniond(sum.normalized());
    };
    const Quaterniond first = summed({0, 1, 2});
    double apart = 0;
    for (const auto& order : {std::array<std::size_t, 3>{1, 2, 0}, {2, 0, 1}})
      apart = std::fmax(apart, kDegrees * rotation_between(first, summed(order)));
    if (apart > 1e-6) ++depends;
    widest = std::fmax(widest, apart);
  }
  bench.results.values["running_sum_depends"] = static_cast<double>(depends) / kTrials;
  bench.results.values["running_sum_widest_deg"] = widest;
}

struct DualQuaternion {
  Quaterniond real, dual;
};
DualQuaternion dual_quaternion(const Matrix4d& M) {
  const Quaterniond q(Matrix3d(M.topLeftCorner<3, 3>()));
  Quaterniond dual = Quaterniond(0, M(0, 3), M(1, 3), M(2, 3)) * q;
  dual.coeffs() *= 0.5;
  return {q, dual};
}

// Alg. 1 line by line, on the cuboid in a pose that twists, bends and moves.
void algorithm_1(Workbench& bench) {
  const Stage stage(shared_cuboid(), bench);
  const RiggedMesh& mesh = stage.mesh();
  Pose pose = cuboid_pose(100, 70);
  std::vector<Mat4x3d> M = pose.M;
  for (std::size_t b = 0; b < M.size(); ++b) M[b][3] += Vec3d(0.1, -0.2, 0.15) * static_cast<double>(b);
  pose = make_pose(M);
  const std::vector<Vec3d> kernel = stage.points(pose, Method::dqs);
  double largest = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Eigen::Vector4d real = Eigen::Vector4d::Zero(), dual = real;
    for (int b = 0; b < mesh.bone_count; ++b) {
      const double weight = weight_of(mesh, v, b);
      if (weight == 0) continue;
      const DualQuaternion q = dual_quaternion(eigen(M[static_cast<std::size_t>(b)]));
      const double sign = real.dot(q.real.coeffs()) < 0 ? -1 : 1;
      real += sign * weight * q.real.coeffs();
      dual += sign * weight * q.dual.coeffs();
    }
    const double norm = real.norm();
    const Quaterniond c0(Eigen::Vector4d(real / norm)), ce(Eigen::Vector4d(dual / norm));
    const Vector3d t = 2 * (ce * c0.conjugate()).vec();
    const double w = c0.w(), x = c0.x(), y = c0.y(), z = c0.z();
    Matrix3d R;
    R << 1 - 2 * y * y - 2 * z * z, 2 * x * y - 2 * w * z, 2 * x * z + 2 * w * y,  //
        2 * x * y + 2 * w * z, 1 - 2 * x * x - 2 * z * z, 2 * y * z - 2 * w * x,   //
        2 * x * z - 2 * w * y, 2 * y * z + 2 * w * x, 1 - 2 * x * x - 2 * y * y;
    const auto i = static_cast<std::size_t>(v);
    const Vector3d p = R * Vector3d(mesh.p0[i].x, mesh.p0[i].y, mesh.p0[i].z) + t;
    largest = std::fmax(largest, length(kernel[i] - Vec3d(p.x(), p.y(), p.z())));
  }
  bench.results.values["algorithm_1"] = largest;
}

// The requirements on centres: vertices of similar weights turn about similar centres, rigid motions stay rigid.
void requirements(Workbench& bench) {
  const ProceduralRig rig = branching_body();
  const Surface surface(rig.mesh.faces, weld(rig.mesh));
  const WeightedSurface welded = weighted_surface(rig.mesh, surface);
  const RotationCentres centres = rotation_centres(rig.mesh, surface, {.threads = bench.threads});
  double radius = 0, similar = 0;
  for (const Vec3d& p : rig.mesh.p0) radius = std::max(radius, length(p - rig.mesh.p0.front()) / 2);
  double places = 0;
  for (int a = 0; a < welded.vertex_count(); ++a)
    for (int b = 0; b < a; ++b) {
      const auto i = static_cast<std::size_t>(surface.representative(a)),
                 j = static_cast<std::size_t>(surface.representative(b));
      if (!centres.has_centre[i] || !centres.has_centre[j] || welded.weights.bones(a).size() < 2 ||
          welded.weights.bones(b).size() < 2)
        continue;
      if (squared_distance(welded.weights, a, welded.weights, b) > 0.02 * 0.02) continue;
      similar = std::max(similar, length(centres.centre[i] - centres.centre[j]) / radius);
      places = std::max(places, length(rig.mesh.p0[i] - rig.mesh.p0[j]) / radius);
    }
  bench.results.values["similar_centres"] = similar;
  bench.results.values["places_of_similar_weights"] = places;

  const Stage stage(branching_body(), bench);
  const Mat4x3d whole = compose(turn_about(Vec3d(0.5, 0, 1), Vec3d(0, 0.6, 0.8), 2),
                                turn_about(Vec3d(3, 1, 0), Vec3d(1, 0, 0), 1));
  const Pose moved = make_pose(std::vector<Mat4x3d>(static_cast<std::size_t>(rig.mesh.bone_count), whole));
  const std::vector<Vec3d> p = stage.points(moved, Method::crs);
  double off = 0;
  for (std::size_t v = 0; v < p.size(); ++v)
    off = std::max(off, length(p[v] - transform_point(whole, rig.mesh.p0[v])));
  bench.results.values["rigid_stays_rigid"] = off;
}

// A triangle in Eq. 7: its area times similarity, where the vertex's rotation takes its centroid, and where LBS does.
struct Spot {
  double mass;
  Vec3d turned, blended;
};

// Eq. 7 at a translation.
double squares(const std::vector<Spot>& spots, Vec3d t) {
  double sum = 0;
  for (const Spot& spot : spots) {
    const Vec3d off = spot.turned + t - spot.blended;
    sum += spot.mass * dot(off, off);
  }
  return sum;
}

// From the translation to where Eq. 7 has its minimum. Eq. 7 grows with the square of the distance from there, times its mass,
// so that differences over any step are slopes.
Vec3d to_minimum(const std::vector<Spot>& spots, Vec3d t) {
  double mass = 0;
  for (const Spot& spot : spots) mass += spot.mass;
  Vec3d way(0.0);
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d step(0.0);
    step[axis] = 1;
    way[axis] = (squares(spots, t - step) - squares(spots, t + step)) / (4 * mass);
  }
  return way;
}

// Eq. 7 summed over the triangles as it stands, at its closed form and where the kernel puts the vertices, which is Eq. 8.
void minimiser(Workbench& bench) {
  const ProceduralRig rig = shared_cuboid();
  const RiggedMesh& mesh = rig.mesh;
  const Surface surface(mesh.faces, weld(mesh));
  const WeightedSurface welded = weighted_surface(mesh, surface);
  const WeightedTriangles triangles = weighted_triangles(welded);
  const CentreTargets targets = centre_targets(welded);
  const std::vector<CentreSum> sums = sum_naively(triangles, targets, {.threads = bench.threads});
  const Pose pose = cuboid_pose(0, 120);
  const std::vector<Mat3d> rotation = extension_of(mesh, pose, Method::crs);
  const std::vector<Vec3d> skin = Stage(shared_cuboid(), bench).points(pose, Method::crs);
  const auto blended = [&](std::span<const int> bones, std::span<const double> weights, Vec3d p) {
    Vec3d x(0.0);
    for (std::size_t i = 0; i < bones.size(); ++i)
      x += weights[i] * transform_point(pose.M[static_cast<std::size_t>(bones[i])], p);
    return x;
  };
  Random random(7);
  double slope = 0, least_rise = INFINITY, kernel_apart = 0, kernel_slope = 0;
  for (int i = 0; i < targets.count(); ++i) {
    const CentreSum& sum = sums[static_cast<std::size_t>(i)];
    const int v = targets.vertex[static_cast<std::size_t>(i)];
    if (!(sum.weight > 0) || welded.weights.bones(v).size() < 2) continue;
    const auto vertex = static_cast<std::size_t>(surface.representative(v));
    const Mat3d& R = rotation[vertex];
    std::vector<Spot> spots, own_weights;
    Vec3d carried(0.0);
    for (int t = 0; t < triangles.count(); ++t) {
      const double mass =
          triangles.area[static_cast<std::size_t>(t)] * similarity(targets.pairs_of(i), triangles, t, 0.1);
      if (mass == 0) continue;
      const Vec3d& c = triangles.centroid[static_cast<std::size_t>(t)];
      const Vec3d there = blended(triangles.weights.bones(t), triangles.weights.weights(t), c);
      spots.push_back({mass, R * c, there});
      own_weights.push_back({mass, R * c, blended(welded.weights.bones(v), welded.weights.weights(v), c)});
      carried += (mass / sum.weight) * there;
    }
    // The closed form: the mean of where LBS takes the points, less where the rotation takes the centre of Eq. 10.
    const Vec3d closed = carried - R * (sum.first / sum.weight);
    slope = std::max(slope, length(to_minimum(spots, closed)));
    const double step = random.uniform(1e-3, 1);
    const Vec3d aside = closed + step * random.direction();
    least_rise = std::min(least_rise, (squares(spots, aside) - squares(spots, closed)) /
                                          (sum.weight * dot(aside - closed, aside - closed)));
    const Vec3d kernel = skin[vertex] - R * mesh.p0[vertex];
    kernel_apart = std::max(kernel_apart, length(to_minimum(spots, kernel)));
    kernel_slope = std::max(kernel_slope, length(to_minimum(own_weights, kernel)));
  }
  auto& values = bench.results.values;
  values["minimiser_slope"] = slope;
  values["minimiser_rise"] = least_rise;
  values["minimiser_apart"] = kernel_apart;
  values["minimiser_own_weights"] = kernel_slope;
}

// A gentle bend: what linear blending does where it does not collapse yet.
void soft_bend(Workbench& bench) {
  const Stage stage(shared_cuboid(), bench);
  const RiggedMesh& mesh = stage.mesh();
  const Pose pose = cuboid_pose(0, 45);
  const double rest = enclosed_volume(mesh.faces, mesh.p0);
  for (const Skinning& s : std::span(kSkinnings).first(kPaperSkinnings)) {
    const std::vector<Vec3d> p = stage.points(pose, s.method);
    bench.results.values[std::string("soft_bulge_") + s.name] =
        bulge(mesh.p0, p, bones_along_z(kHeights), pose);
    bench.results.values[std::string("soft_volume_") + s.name] = enclosed_volume(mesh.faces, p) / rest;
  }
}

double rms_distance(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += dot(a[v] - b[v], a[v] - b[v]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

// How alike the methods are by how gently weights pass from bone to bone.
void diverse_weights(Workbench& bench) {
  std::string table = "half_blend,dqs_from_lbs,crs_from_lbs\n";
  const Pose pose = cuboid_pose(60, 60);
  for (const double half_blend : {0.05, 0.125, 0.25, 0.5, 1.0}) {
    const Stage stage(shared_cuboid(half_blend), bench);
    const std::vector<Vec3d> lbs = stage.points(pose, Method::lbs);
    const double dqs = rms_distance(lbs, stage.points(pose, Method::dqs)),
                 crs = rms_distance(lbs, stage.points(pose, Method::crs));
    table += csv_row({}, {half_blend, dqs, crs});
    if (half_blend == 0.05) bench.results.values["diverse_dqs"] = dqs;
    if (half_blend == 1) bench.results.values["smooth_dqs"] = dqs;
  }
  bench.write_table(
      "weights.csv",
      "RMS distance between the methods' skins by half the length over which weights pass, twist and bend of 60 degrees",
      table);
}

// Centres by every triangle for every vertex, at twice the resolution either way: processor time.
void quadratic(Workbench& bench) {
  const auto seconds = [&](int across, int along) {
    const RiggedMesh mesh = shared_cuboid(1, across, along).mesh;
    const Surface surface(mesh.faces, weld(mesh));
    const WeightedSurface welded = weighted_surface(mesh, surface);
    const WeightedTriangles triangles = weighted_triangles(welded);
    const CentreTargets targets = centre_targets(welded);
    double best = INFINITY;
    for (int round = 0; round < 3; ++round) {
      const std::clock_t start = std::clock();
      sum_naively(triangles, targets, {.threads = 1});
      best = std::fmin(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
  };
  bench.results.values["time_of_twice_as_fine"] = seconds(10, 60) / seconds(5, 30);
}

void read(Workbench& bench) {
  bench.progress("following the algorithms to the letter");
  bind_pose(bench);
  running_sum(bench);
  algorithm_1(bench);
  bench.progress("solving for translations");
  requirements(bench);
  minimiser(bench);
  soft_bend(bench);
  diverse_weights(bench);
  bench.progress("timing centres");
  quadratic(bench);
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Sec. 2 to 6, Alg. 1";
  e.title = "What the text says beside its figures";
  e.says =
      "Bones stand in a bind pose that is undone first; signs of dual quaternions are chosen as they are summed. "
      "Centres of rotation minimise the distance to linear blending, are similar where weights are, and keep rigid motions. "
      "Dual quaternions are cheaper than spherical blending and take half of the additions and multiplications of matrices. "
      "The more diverse the weights are, the more similar are the methods.";
  e.extra = read;
  e.findings = {
      {"dqs_over_sbs",
       [](const Results&) { return operations(Method::dqs, 4) / operations(Method::sbs, 4); }},
      {"bind_pose_is_rest", value_of("bind_pose_is_rest")},
      {"products_along_the_skeleton", value_of("products_along_the_skeleton")},
      {"printed_chain", value_of("printed_chain")},
      {"running_sum_depends", value_of("running_sum_depends")},
      {"running_sum_widest", value_of("running_sum_widest_deg")},
      {"algorithm_1", value_of("algorithm_1")},
      {"similar_centres", value_of("similar_centres")},
      {"places_of_similar_weights", value_of("places_of_similar_weights")},
      {"rigid_stays_rigid", value_of("rigid_stays_rigid")},
      {"minimiser_slope", value_of("minimiser_slope")},
      {"minimiser_rise", value_of("minimiser_rise")},
      {"minimiser_apart", value_of("minimiser_apart")},
      {"minimiser_own_weights", value_of("minimiser_own_weights")},
      {"soft_bulge_lbs", value_of("soft_bulge_lbs")},
      {"soft_bulge_dqs", value_of("soft_bulge_dqs")},
      {"soft_volume_lbs", value_of("soft_volume_lbs")},
      {"operations_per_matrix", [](const Results&) { return per_bone(Method::lbs); }},
      {"operations_per_dual_quaternion", [](const Results&) { return per_bone(Method::dqs); }},
      {"operations_of_eq_5", [](const Results&) { return operations_of_eq_5(); }},
      {"crs_over_dqs_after_the_palette",
       [](const Results&) { return after_the_palette(Method::crs) / after_the_palette(Method::dqs); }},
      {"diverse_weights_alike",
       [](const Results& r) { return r.value("smooth_dqs") / r.value("diverse_dqs"); }},
      {"time_of_twice_as_fine", value_of("time_of_twice_as_fine")}};
  return e;
}

}  // namespace skinlight::repro::bittner2019::text
