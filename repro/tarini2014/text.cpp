// [TPS14 Sec. 2 to 6]: what the text says beside its figures and tables, on rigs whose truth is known in closed form.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/runner/model_catalogue.h"
#include "repro/study/posed_shape.h"
#include "repro/study/statistics.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/detail/decompositions.h"
#include "skinlight/core/random.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/mesh/weld.h"
#include "skinlight/preprocess/weight_gradients.h"
#include "skinlight/rig/turn.h"
#include "skinlight/samples/body.h"
#include "skinlight/samples/characters.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro::tarini2014::text {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

constexpr int kSegments = 48;

Vector3d eigen(Vec3d v) { return {v.x, v.y, v.z}; }

// The Jacobian of the posed surface along a rest tangent u, from the rig's exact gradients: T u + sum_s M[s] p (a[s] . u).
Vec3d jacobian_along(const ProceduralRig& rig, const Pose& pose, const Mat3d& T, int v, Vec3d u) {
  const RiggedMesh& mesh = rig.mesh;
  const auto i = static_cast<std::size_t>(v), slots = static_cast<std::size_t>(mesh.slots);
  Vec3d along = T * u;
  for (std::size_t s = 0; s < slots; ++s) {
    const Mat4x3d& M = pose.M[static_cast<std::size_t>(mesh.bone[i * slots + s])];
    along += transform_point(M, mesh.p0[i]) * dot(rig.gradient[i * slots + s], u);
  }
  return along;
}

// How far the surface at a vertex is from moving rigidly: the largest |stretch - 1| over its tangent directions.
double strain(const ProceduralRig& rig, const Pose& pose, const Mat3d& T, int v) {
  const auto i = static_cast<std::size_t>(v);
  Matrix3d F = Matrix3d::Zero();  // its third singular value is 0
  F.col(0) = eigen(jacobian_along(rig, pose, T, v, rig.mesh.t0[i]));
  F.col(1) = eigen(jacobian_along(rig, pose, T, v, rig.mesh.b0[i]));
  const Vector3d stretch = singular_values(F).values;
  return std::max(std::abs(stretch[0] - 1), std::abs(stretch[1] - 1));
}

// Degrees between T n0 and T^-T n0: what Eq. 3 leaves out even of its own T.
std::vector<double> inverse_transpose_angles(const RiggedMesh& mesh, std::span<const Mat3d> T) {
  std::vector<double> degrees;
  for (std::size_t v = 0; v < T.size(); ++v) {
    Matrix3d M;
    for (int column = 0; column < 3; ++column) M.col(column) = eigen(T[v][column]);
    const Vector3d n = eigen(mesh.n0[v]), a = M * n, b = M.inverse().transpose() * n;
    degrees.push_back(kDegrees * std::atan2(a.cross(b).norm(), a.dot(b)));
  }
  return degrees;
}

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }

ProceduralRig tube() { return cylinder({.half_length = 3, .half_blend = 1}, {.segments = kSegments}); }
Pose bend(double degrees) { return cylinder_bend(degrees / kDegrees); }

void near_orthonormal(Workbench& bench) {
  const ProceduralRig body = branching_body(), round = tube();
  std::vector<double> of_body, of_rotations;
  for (const NamedPose& pose : branching_body_poses()) {
    const auto angles = inverse_transpose_angles(body.mesh, blended_linear(body.mesh, pose.pose));
    of_body.insert(of_body.end(), angles.begin(), angles.end());
    const auto rotations =
        inverse_transpose_angles(body.mesh, extension_of(body.mesh, pose.pose, Method::dqs));
    of_rotations.insert(of_rotations.end(), rotations.begin(), rotations.end());
  }
  auto& values = bench.results.values;
  values["inverse_transpose_body_deg"] = mean(of_body);
  values["inverse_transpose_dqs_deg"] = largest(of_rotations);
  std::string table = "bend_deg,mean_deg,max_deg\n";
  for (const int degrees : {15, 30, 45, 60, 75, 90, 105, 120, 135, 150}) {
    const auto angles = inverse_transpose_angles(round.mesh, blended_linear(round.mesh, bend(degrees)));
    table += csv_row({std::to_string(degrees)}, {mean(angles), largest(angles)});
    values["inverse_transpose_bend_" + std::to_string(degrees)] = largest(angles);
  }
  bench.write_table("orthonormal.csv",
                    "Degrees between T n and the inverse transpose of T times n on a bent tube", table);
}

struct VertexErrors {
  std::vector<double> strain, standard, deform, gradient;  // #V: pure, degrees, degrees, 1 / length
};

VertexErrors errors_of(const ProceduralRig& rig, const Pose& pose, Workbench& bench) {
  const Character character(rig, {}, bench.threads);
  const std::vector<Vec3d> truth = analytic_lbs_normals(rig, pose);
  const auto normals = [&](NormalMode mode) {
    return skin<double>(rig.mesh, character.factors(), pose, {.mode = mode, .threads = bench.threads}).n;
  };
  VertexErrors e{{},
                 angular_errors(normals(NormalMode::standard), truth),
                 angular_errors(normals(NormalMode::deform), truth),
                 {}};
  const std::vector<Mat3d> T = blended_linear(rig.mesh, pose);
  const auto slots = static_cast<std::size_t>(rig.mesh.slots);
  for (std::size_t v = 0; v < T.size(); ++v) {
    e.strain.push_back(strain(rig, pose, T[v], static_cast<int>(v)));
    double steepest = 0;
    for (std::size_t s = 0; s < slots; ++s)
      steepest = std::max(steepest, length(rig.gradient[v * slots + s]));
    e.gradient.push_back(steepest);
  }
  return e;
}

// The gain by how far the surface is from rigid, in tenths of the vertices.
void less_rigid(Workbench& bench) {
  const VertexErrors e = errors_of(body({.segments = kSegments}), body_pose({0, 0, 0}), bench);
  std::vector<std::size_t> order(e.strain.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return e.strain[i] < e.strain[j]; });
  constexpr std::size_t kTenths = 10;
  std::string table = "tenth,strain,standard_deg,deform_deg\n";
  std::array<double, kTenths> gain{};
  for (std::size_t k = 0; k < kTenths; ++k) {
    const std::size_t from = k * order.size() / kTenths, to = (k + 1) * order.size() / kTenths;
    double strain = 0, standard = 0, deform = 0;
    for (std::size_t i = from; i < to; ++i) {
      strain += e.strain[order[i]];
      standard += e.standard[order[i]];
      deform += e.deform[order[i]];
    }
    const auto count = static_cast<double>(to - from);
    gain[k] = (standard - deform) / count;
    table += csv_row({std::to_string(k + 1)}, {strain / count, standard / count, deform / count});
  }
  bench.results.values["gain_least_rigid"] = gain[kTenths - 1];
  bench.results.values["gain_most_rigid"] = gain[0];
  bench.results.values["strain_correlation"] = rank_correlation(e.strain, e.standard);
  bench.write_table("rigidity.csv",
                    "Mean error by tenths of the vertices, the most rigid first: a body of four bones",
                    table);
}

void constant_weights(Workbench& bench) {
  const VertexErrors e = errors_of(tube(), bend(60), bench);
  double constant = 0;
  for (std::size_t v = 0; v < e.gradient.size(); ++v)
    if (e.gradient[v] == 0) constant = std::max(constant, e.standard[v]);
  bench.results.values["constant_weights_deg"] = constant;
  bench.results.values["varying_weights_deg"] = largest(e.standard);
}

// Weights interpolated inside a triangle bend it; the triangle that is drawn is flat between the posed corners.
void curved_triangles(Workbench& bench) {
  const Pose pose = bend(60);
  std::string table = "segments,largest_share_of_edge\n";
  for (const int segments : {24, 48, 96}) {
    const RiggedMesh mesh = cylinder({.half_length = 3, .half_blend = 1}, {.segments = segments}).mesh;
    double share = 0;
    for (const Face& face : mesh.faces)
      for (std::size_t c = 0; c < 3; ++c) {
        const int i = face[c], j = face[(c + 1) % 3];
        const Vec3d middle =
            0.5 * (mesh.p0[static_cast<std::size_t>(i)] + mesh.p0[static_cast<std::size_t>(j)]);
        Vec3d curved(0.0), flat(0.0);
        for (int b = 0; b < mesh.bone_count; ++b) {
          const Mat4x3d& M = pose.M[static_cast<std::size_t>(b)];
          const double wi = weight_of(mesh, i, b), wj = weight_of(mesh, j, b);
          curved += 0.5 * (wi + wj) * transform_point(M, middle);
          flat += 0.5 * (wi * transform_point(M, mesh.p0[static_cast<std::size_t>(i)]) +
                         wj * transform_point(M, mesh.p0[static_cast<std::size_t>(j)]));
        }
        const double edge =
            length(mesh.p0[static_cast<std::size_t>(i)] - mesh.p0[static_cast<std::size_t>(j)]);
        share = std::max(share, length(curved - flat) / edge);
      }
    bench.results.values["curved_share_" + std::to_string(segments)] = share;
    table += csv_row({std::to_string(segments)}, {share});
  }
  bench.write_table("curved.csv", "How far a curved edge's middle is from the flat one's, over the edge",
                    table);
}

// Inside a triangle a weight is linear: gradient and offset from three corners and the normal, Eq. 5 as a system of four.
template <class Real>
Vec3d gradient_by_system(std::span<const Vec3d> p, const std::array<double, 3>& w, Vec3d normal) {
  Eigen::Matrix<Real, 4, 4> A;
  Eigen::Matrix<Real, 4, 1> right;
  for (int c = 0; c < 3; ++c) {
    const Vec3d& q = p[static_cast<std::size_t>(c)];
    A.row(c) << static_cast<Real>(q.x), static_cast<Real>(q.y), static_cast<Real>(q.z), 1;
    right[c] = static_cast<Real>(w[static_cast<std::size_t>(c)]);
  }
  A.row(3) << static_cast<Real>(normal.x), static_cast<Real>(normal.y), static_cast<Real>(normal.z), 0;
  right[3] = 0;
  const Eigen::Matrix<Real, 4, 1> x = A.partialPivLu().solve(right);
  return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
}

void gradient_systems(Workbench& bench) {
  Random random(5);
  double closed = 0, in_float = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const std::array<Vec3d, 3> p = {random.in_cube(1), random.in_cube(1), random.in_cube(1)};
    const Vec3d cross_product = cross(p[1] - p[0], p[2] - p[0]);
    if (length(cross_product) < 0.1) continue;
    const std::array<double, 3> w = {random.uniform(), random.uniform(), random.uniform()};
    const Vec3d normal = normalize(cross_product);
    const std::array<Vec3d, 3> hat = hat_gradients(p[0], p[1], p[2]);
    const Vec3d gradient = w[0] * hat[0] + w[1] * hat[1] + w[2] * hat[2];
    closed =
        std::fmax(closed, length(gradient - gradient_by_system<double>(p, w, normal)) / length(gradient));
    std::array<Vec3d, 3> away = p;
    for (Vec3d& q : away) q += Vec3d(1e4, 0, 0);
    in_float =
        std::fmax(in_float, length(gradient - gradient_by_system<float>(away, w, normal)) / length(gradient));
  }
  bench.results.values["gradient_system"] = closed;
  bench.results.values["gradient_system_float_far"] = in_float;
}

// How far sum w A M p0 is from A sum w M p0, largest over random bones and affine maps A, by what the weights sum to; over the
// length of A's translation.
double affine_departure(double weight_sum) {
  constexpr int kBones = 4;
  using K = Kernels<double, kBones>;
  K k;
  Random random(11);
  const auto affine = [&] {
    Mat4x3d A;
    for (int column = 0; column < 4; ++column) A[column] = random.in_cube(2);
    return A;
  };
  double largest = 0;
  for (int trial = 0; trial < 500; ++trial) {
    K::Influences before{}, after{};
    const Mat4x3d A = affine();
    const Vec3d p0 = random.in_cube(1);
    double sum = 0;
    for (double& w : before.w) sum += w = random.uniform(0.05, 1);
    for (int s = 0; s < kBones; ++s) {
      after.w[s] = before.w[s] *= weight_sum / sum;
      before.M[s] = affine();
      after.M[s] = compose(A, before.M[s]);
    }
    const Vec3d off = k.lbs_position(after, p0) - transform_point(A, k.lbs_position(before, p0));
    largest = std::max(largest, length(off) / length(A[3]));
  }
  return largest;
}

NormalRecord rotated_slots(const NormalRecord& record, int by) {
  NormalRecord turned = record;
  const auto vertices = record.bone.size() / static_cast<std::size_t>(record.slots);
  for (std::size_t v = 0; v < vertices; ++v)
    for (int s = 0; s < record.slots; ++s) {
      const std::size_t to = record.at(static_cast<int>(v), s),
                        from = record.at(static_cast<int>(v), (s + by) % record.slots);
      turned.bone[to] = record.bone[from];
      turned.weight[to] = record.weight[from];
      turned.alpha[to] = record.alpha[from];
      turned.beta[to] = record.beta[from];
      turned.gradient[to] = record.gradient[from];
      turned.smooth_weight[to] = record.smooth_weight[from];
    }
  return turned;
}

// Any bone may be the one that is subtracted [Eq. 13]; positions are those of Eq. 14; tangents lie across the normal.
void stable_form(Workbench& bench) {
  const ProceduralRig rig = body({.segments = kSegments});
  const Pose pose = body_pose({3, -2, 1});
  const Character character(rig, {}, bench.threads);
  const auto posed = [&](const NormalRecord& record) {
    return skin<double>(rig.mesh, record, pose, {.mode = NormalMode::deform, .threads = bench.threads});
  };
  const SkinnedMesh<double> first = posed(character.factors());
  double slots = 0, positions = 0, across = 0, rest = 0;
  for (int by = 1; by < character.factors().slots; ++by) {
    const SkinnedMesh<double> other = posed(rotated_slots(character.factors(), by));
    slots =
        std::fmax(slots, std::fmax(largest_distance(first.t, other.t), largest_distance(first.n, other.n)));
  }
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    Vec3d p(0.0);
    for (int b = 0; b < rig.mesh.bone_count; ++b)
      p += weight_of(rig.mesh, v, b) * transform_point(pose.M[static_cast<std::size_t>(b)], rig.mesh.p0[i]);
    positions = std::fmax(positions, length(p - first.p[i]));
    across = std::fmax(across, std::abs(dot(first.t[i], first.n[i])));
    rest = std::fmax(rest, std::fmax(std::abs(dot(rig.mesh.t0[i], rig.mesh.n0[i])),
                                     std::abs(dot(rig.mesh.b0[i], rig.mesh.n0[i]))));
  }
  auto& values = bench.results.values;
  values["any_slot"] = slots;
  values["positions_of_eq14"] = positions;
  values["tangents_across"] = std::fmax(across, rest);
}

// Two bones instead of four, by dropping the smaller weights or by fitting those of the best pair to poses [after LS10].
void sparse_weights(Workbench& bench) {
  const RiggedMesh mesh = body({.segments = 24}).mesh;
  Random random(10);
  const auto any_pose = [&] {
    std::vector<Mat4x3d> M;
    for (int b = 0; b < mesh.bone_count; ++b) {
      const double radians = random.uniform(-0.6, 0.6);
      M.push_back(turn_about(Vec3d(0, 0, -2 + 1.3 * b), random.direction(), radians));
    }
    return make_pose(std::move(M));
  };
  std::vector<Pose> fitted_to, unseen;
  for (int i = 0; i < 48; ++i) fitted_to.push_back(any_pose());
  for (int i = 0; i < 12; ++i) unseen.push_back(any_pose());
  double dropped_square = 0, fitted_square = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3d p = mesh.p0[static_cast<std::size_t>(v)];
    const auto under = [&](const Pose& pose, int b) {
      return transform_point(pose.M[static_cast<std::size_t>(b)], p);
    };
    const auto whole = [&](const Pose& pose) {
      Vec3d x(0.0);
      for (int b = 0; b < mesh.bone_count; ++b) x += weight_of(mesh, v, b) * under(pose, b);
      return x;
    };
    const auto square = [&](const std::vector<Pose>& poses, int i, int j, double w) {
      double sum = 0;
      for (const Pose& pose : poses) {
        const Vec3d off = w * under(pose, i) + (1 - w) * under(pose, j) - whole(pose);
        sum += dot(off, off);
      }
      return sum;
    };
    int best_i = 0, best_j = 1;
    double best_w = 0, best = INFINITY;
    for (int i = 0; i < mesh.bone_count; ++i)
      for (int j = i + 1; j < mesh.bone_count; ++j) {
        double top = 0, below = 0;
        for (const Pose& pose : fitted_to) {
          const Vec3d apart = under(pose, i) - under(pose, j);
          top += dot(whole(pose) - under(pose, j), apart);
          below += dot(apart, apart);
        }
        const double w = std::clamp(top / below, 0.0, 1.0), off = square(fitted_to, i, j, w);
        if (off < best) {
          best = off;
          best_i = i;
          best_j = j;
          best_w = w;
        }
      }
    const std::span<const int> bones = mesh.bones_of(v);  // by descending weight
    const std::span<const double> weights = mesh.weights_of(v);
    dropped_square += square(unseen, bones[0], bones[1], weights[0] / (weights[0] + weights[1]));
    fitted_square += square(unseen, best_i, best_j, best_w);
  }
  bench.results.values["sparse_fitted"] =
      std::sqrt(fitted_square / static_cast<double>(unseen.size() * mesh.p0.size()));
  bench.results.values["sparse_fitted_over_dropped"] = std::sqrt(fitted_square / dropped_square);
}

// Unit normals closer than this are one: they are stored in floats.
constexpr double kSameNormal = 1e-4;
constexpr const char* kModels[] = {"cesium-man", "quaternius-formal", "quaternius-wolf", "trex"};

void counts(Workbench& bench) {
  bench.results.values["floats_per_bone"] =
      static_cast<double>(sizeof(Mat4x3<float>)) / static_cast<double>(sizeof(float));
  std::string table = "model,triangles,vertices,places,places_normals,places_uv,places_normals_uv\n";
  for (const char* name : kModels) {
    const ModelEntry& entry = model(name);
    if (!why_missing(entry).empty()) continue;
    const Model of_file = load_model(entry);
    const RiggedMesh& mesh = of_file.mesh;
    // Vertices that would be left if only these parts of them told them apart.
    const auto distinct = [&](bool normals, bool uv) {
      const auto same = [&](int a, int b) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        return (!normals || length(mesh.n0[i] - mesh.n0[j]) < kSameNormal) &&
               (!uv || mesh.uv.empty() || (mesh.uv[i].x == mesh.uv[j].x && mesh.uv[i].y == mesh.uv[j].y));
      };
      return static_cast<double>(Surface(mesh.faces, weld_vertices(mesh.p0, same)).vertex_count());
    };
    const double faces = static_cast<double>(mesh.faces.size()), vertices = mesh.vertex_count(),
                 places = distinct(false, false), with_normals = distinct(true, false),
                 with_uv = distinct(false, true);
    bench.results.values[std::string("vertices_over_faces_") + name] = vertices / faces;
    bench.results.values[std::string("places_over_faces_") + name] = places / faces;
    bench.results.values[std::string("normals_over_faces_") + name] = with_normals / faces;
    table += csv_row({name}, {faces, vertices, places, with_normals, with_uv, distinct(true, true)});
  }
  bench.write_table("counts.csv",
                    "Triangles and vertices of files, and vertices that places, normals or uv tell apart",
                    table);
}

void read(Workbench& bench) {
  bench.progress("comparing transforms with their inverse transposes");
  near_orthonormal(bench);
  bench.progress("measuring vertices one by one");
  less_rigid(bench);
  constant_weights(bench);
  curved_triangles(bench);
  gradient_systems(bench);
  bench.results.values["affine_invariance"] = affine_departure(1);
  bench.results.values["affine_without_unity"] = affine_departure(0.9);
  stable_form(bench);
  sparse_weights(bench);
  counts(bench);
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Sec. 2 to 6";
  e.title = "What the text says beside its figures";
  e.says =
      "Blended transforms are nearly orthonormal, so that they stand for their inverse transposes; that is exact only where weights are constant. "
      "The gain is more evident where the deformation is less rigid. "
      "Inside a triangle weights are linear, and the triangle stays nearly flat. "
      "Any bone may be the one that the stable form subtracts.";
  for (const char* name : kModels) e.models.push_back({.name = name, .optional = true});
  e.frames = 0;
  e.extra = read;
  e.findings = {{"affine_invariance", value_of("affine_invariance")},
                {"affine_without_unity", value_of("affine_without_unity")},
                {"floats_per_bone", value_of("floats_per_bone")},
                {"near_orthonormal_body", value_of("inverse_transpose_body_deg")},
                {"near_orthonormal_bend_30", value_of("inverse_transpose_bend_30")},
                {"near_orthonormal_bend_120", value_of("inverse_transpose_bend_120")},
                {"dqs_inverse_transpose", value_of("inverse_transpose_dqs_deg")},
                {"constant_weights", value_of("constant_weights_deg")},
                {"varying_weights", value_of("varying_weights_deg")},
                {"gain_where_less_rigid",
                 [](const Results& r) { return r.value("gain_least_rigid") / r.value("gain_most_rigid"); }},
                {"strain_correlation", value_of("strain_correlation")},
                {"curved_24", value_of("curved_share_24")},
                {"curved_halves",
                 [](const Results& r) { return r.value("curved_share_24") / r.value("curved_share_96"); }},
                {"gradient_system", value_of("gradient_system")},
                {"gradient_system_float_far", value_of("gradient_system_float_far")},
                {"any_slot", value_of("any_slot")},
                {"positions_of_eq14", value_of("positions_of_eq14")},
                {"tangents_across", value_of("tangents_across")},
                {"sparse_fitted", value_of("sparse_fitted")},
                {"sparse_fitted_over_dropped", value_of("sparse_fitted_over_dropped")}};
  for (const std::string name : kModels)
    for (const char* counted : {"vertices", "places", "normals"})
      e.findings.push_back({counted + ("_over_faces_" + name), value_of(counted + ("_over_faces_" + name))});
  return e;
}

}  // namespace skinlight::repro::tarini2014::text
