// [MMG06 Eq. 2, 3, 4]: normals of skinned surfaces by the cofactors of the exact Jacobian. That it is exact,
// on random vertices; what it changes, on a bent cylinder.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "repro/runner/judgement.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/dual.h"
#include "skinlight/core/random.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/mesh/weld.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/skinning/kernel_table.h"

namespace skinlight::repro::merry2006::normals {

namespace {

constexpr const char* kRig = "cylinder_48";
constexpr const char* kPose = "bend_60";
constexpr int kVertices = 5000;  // per number of bones
// Below this area and volume of what was 1 at rest, the surface or the space around it has all but collapsed.
constexpr double kShortest = 0.05;

template <int N>
struct RandomVertex {
  using K = Kernels<double, N>;
  typename K::Influences x;
  typename K::WeightGradients g;
  typename K::RestVertex rest;

  explicit RandomVertex(Random& random) {
    double sum = 0;
    for (double& w : x.w) sum += w = random.uniform(0.05, 1);
    for (double& w : x.w) w /= sum;
    for (Mat4x3d& m : x.M) {  // any affine map: turns, shears, scales, mirrors
      for (int c = 0; c < 3; ++c) m[c] = random.in_cube(1.2);
      m[3] = random.in_cube(2);
    }
    rest.p = random.in_cube(2);
    rest.n = random.direction();
    rest.t = normalize(cross(rest.n, random.direction()));
    rest.b = cross(rest.n, rest.t);
    Vec3d others(0.0);
    for (int s = 1; s < N; ++s) others += g.a[s] = random.in_cube(0.5);
    g.a[0] = -others;
  }
};

// dF/ds along a tangent: the position kernel over dual numbers, weights changing by a[s] . tangent. No
// Jacobian.
template <int N>
Vec3d differentiated(const RandomVertex<N>& v, Vec3d tangent) {
  using D = Dual<double>;
  using K = Kernels<D, N>;
  typename K::Influences x;
  for (int s = 0; s < N; ++s) {
    x.w[s] = D(v.x.w[s], dot(v.g.a[s], tangent));
    x.M[s] = Mat4x3<D>(v.x.M[s]);
  }
  const Vec3d p = v.rest.p;
  const Vec3<D> q = K().lbs_position(x, {D(p.x, tangent.x), D(p.y, tangent.y), D(p.z, tangent.z)});
  return {q.x.d, q.y.d, q.z.d};
}

// N^-T n' with N solved for, not inverted by cofactors: x with N^T x = n', by Gaussian elimination with
// pivots.
template <int N>
Vec3d solved(const RandomVertex<N>& v) {
  double A[3][4];
  for (int c = 0; c < 3; ++c) {  // row c of N^T is column c of N = sum (w M + M p a^T) [MMG06 Eq. 2]
    Vec3d column(0.0);
    for (int s = 0; s < N; ++s)
      column += v.x.M[s][c] * v.x.w[s] + transform_point(v.x.M[s], v.rest.p) * v.g.a[s][c];
    for (int r = 0; r < 3; ++r) A[c][r] = column[r];
    A[c][3] = v.rest.n[c];
  }
  for (int i = 0; i < 3; ++i) {
    int pivot = i;
    for (int r = i + 1; r < 3; ++r)
      if (std::abs(A[r][i]) > std::abs(A[pivot][i])) pivot = r;
    std::swap(A[i], A[pivot]);
    for (int r = 0; r < 3; ++r) {
      if (r == i) continue;
      const double factor = A[r][i] / A[i][i];
      for (int c = i; c < 4; ++c) A[r][c] -= factor * A[i][c];
    }
  }
  return {A[0][3] / A[0][0], A[1][3] / A[1][1], A[2][3] / A[2][2]};
}

// Largest angles in radians between the cofactor normal and the others.
struct Agreement {
  int bones = 0, used = 0;
  double solved = 0, inverse_transpose = 0, autodiff = 0, standard = 0;
};

// The angle between lines: N^-T points the other way where N mirrors.
double angle_of_lines(Vec3d a, Vec3d b) { return std::min(angle_between(a, b), angle_between(a, -b)); }

template <int N>
Agreement agreement() {
  Random random(2006 + N);
  Agreement found;
  found.bones = N;
  Kernels<double, N> k;
  for (int i = 0; i < kVertices; ++i) {
    const RandomVertex<N> v(random);
    const Vec3d merry = k.lbs_exact_cofactors(v.x, v.g, v.rest).n;
    const Vec3d standard = k.lbs_standard(v.x, v.rest).n;
    const Vec3d t = differentiated(v, v.rest.t), b = differentiated(v, v.rest.b);
    const Vec3d inverse = k.lbs_exact_inverse_transpose(v.x, v.g, v.rest).n, unmixed = solved(v);
    // co(N)^T n' = det(N) N^-T n'.
    if (length(merry) < kShortest || length(merry) < kShortest * length(inverse)) continue;
    ++found.used;
    found.solved = std::max(found.solved, angle_of_lines(merry, unmixed));
    found.inverse_transpose = std::max(found.inverse_transpose, angle_of_lines(merry, inverse));
    found.autodiff = std::max(found.autodiff, angle_between(merry, cross(t, b)));
    found.standard = std::max(found.standard, angle_of_lines(merry, standard));
  }
  return found;
}

template <int... N>
std::vector<Agreement> agreements(std::integer_sequence<int, N...>) {
  return {agreement<N + 1>()...};
}

Vec3d plain(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

// What Sec. 3 says of N beside its formula, on random vertices of four bones; the 4x4 matrix of Eq. 2 by Eigen.
void properties(Workbench& bench) {
  constexpr int N = 4;
  Random random(3);
  double parametrisation = 0, adjugate = 0, untransposed = 0, last = 0;
  int used = 0;
  Kernels<double, N> k;
  for (int i = 0; i < kVertices; ++i) {
    const RandomVertex<N> v(random);
    const Vec3d merry = k.lbs_exact_cofactors(v.x, v.g, v.rest).n;
    Eigen::Matrix4d N4 = Eigen::Matrix4d::Zero();
    for (int s = 0; s < N; ++s) {
      Eigen::Matrix4d M = Eigen::Matrix4d::Identity();
      for (int column = 0; column < 4; ++column)
        for (int line = 0; line < 3; ++line) M(line, column) = v.x.M[s][column][line];
      const Eigen::Vector4d a(v.g.a[s].x, v.g.a[s].y, v.g.a[s].z, 0),
          at(v.rest.p.x, v.rest.p.y, v.rest.p.z, 1);
      N4 += v.x.w[s] * M + M * at * a.transpose();
    }
    const Eigen::Matrix3d N3 = N4.topLeftCorner<3, 3>();
    if (length(merry) < kShortest || std::abs(N3.determinant()) < kShortest) continue;
    ++used;
    // Tangents of other parameters of the same surface: turned and scaled in its plane, and oblique.
    const double turn = random.uniform(0, 2 * M_PI), slant = random.uniform(-1, 1);
    const Vec3d u = std::cos(turn) * v.rest.t + std::sin(turn) * v.rest.b,
                w = random.uniform(0.2, 5) *
                    (std::cos(turn) * v.rest.b - std::sin(turn) * v.rest.t + slant * u);
    parametrisation =
        std::max(parametrisation, angle_between(merry, cross(differentiated(v, u), differentiated(v, w))));
    const Eigen::Vector3d n(v.rest.n.x, v.rest.n.y, v.rest.n.z);
    const Eigen::Matrix3d adj = N3.determinant() * N3.inverse();
    adjugate = std::max(adjugate, angle_between(merry, plain(adj.transpose() * n)));
    untransposed += angle_of_lines(merry, plain(adj * n));
    const Eigen::Vector4d whole =
        N4.inverse().transpose() * n.homogeneous().cwiseProduct(Eigen::Vector4d(1, 1, 1, 0));
    last = std::max(last, angle_of_lines(merry, plain(whole.head<3>())));
  }
  auto& values = bench.results.values;
  values["parametrisation"] = parametrisation;
  values["adjugate"] = adjugate;
  values["adjugate_untransposed_deg"] = kDegrees * untransposed / used;
  values["properties_used"] = used;
  values["last_row_and_column"] = last;

  // One normal per place on a body with edges, against those of its sides.
  const RiggedMesh box = cuboid({.across = 4, .along = 40}).mesh;
  const Surface one_each(box.faces, weld_vertices(box.p0, [](int, int) { return true; }));
  const std::vector<Vec3d> normals = vertex_normals(one_each, box.p0, Averaging::angle);
  double crease = 0;
  for (std::size_t v = 0; v < normals.size(); ++v)
    crease = std::max(crease, angle_between(normals[v], box.n0[v]));
  values["crease_deg"] = kDegrees * crease;
}

void prove(Workbench& bench) {
  properties(bench);
  bench.progress("comparing on random vertices of 1 to 8 bones");
  std::string csv = "bones,vertices,solved_rad,inverse_transpose_rad,autodiff_rad,standard_rad\n";
  Agreement worst;
  worst.used = kVertices;
  for (const Agreement& a : agreements(std::make_integer_sequence<int, 8>())) {
    char line[160];
    std::snprintf(line, sizeof line, "%d,%d,%.3g,%.3g,%.3g,%.3g\n", a.bones, a.used, a.solved,
                  a.inverse_transpose, a.autodiff, a.standard);
    csv += line;
    worst.used = std::min(worst.used, a.used);
    worst.solved = std::max(worst.solved, a.solved);
    worst.inverse_transpose = std::max(worst.inverse_transpose, a.inverse_transpose);
    worst.autodiff = std::max(worst.autodiff, a.autodiff);
  }
  bench.write_table("agreement.csv", "Largest angles to Merry's normal on random vertices", csv);
  bench.results.values["solved"] = worst.solved;
  bench.results.values["inverse_transpose"] = worst.inverse_transpose;
  bench.results.values["autodiff"] = worst.autodiff;
  bench.results.values["share_used"] = static_cast<double>(worst.used) / kVertices;
}

auto max_of(const char* method) {
  return [=](const Results& r) { return r.error(kRig, kPose, method, Truth::analytic).max; };
}

std::vector<Finding> findings() {
  return {
      {"cofactors_equal_inverse_transpose", value_of("solved")},
      {"inverse_transpose_kernel", value_of("inverse_transpose")},
      {"cofactors_equal_autodiff", value_of("autodiff")},
      {"adjugate_transposed", value_of("adjugate")},
      {"adjugate_untransposed", value_of("adjugate_untransposed_deg")},
      {"adjugate_vertices", value_of("properties_used")},
      {"parametrisation", value_of("parametrisation")},
      {"last_row_and_column", value_of("last_row_and_column")},
      {"one_normal_at_a_crease", value_of("crease_deg")},
      {"share_used", value_of("share_used")},
      {"cylinder_standard_max", max_of("standard")},
      {"cylinder_merry_exact_max", max_of("merry-exact-gradients")},
      {"cylinder_merry_max", max_of("merry")},
      gpu_finding(),
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Eq. 2 to 4";
  e.title = "The exact normal of a skinned surface";
  e.says =
      "The inverse transpose of the blended matrix is right for normals only where that matrix is constant. "
      "Differentiating the skinning equation with weights that change over the surface gives a matrix N; the transpose of what it calls co(N), the adjugate, carries the normal exactly, and so does the inverse transpose.";
  e.rigs = {{kRig, "cylinder", 48, [] { return cylinder({}, {.segments = 48}); }}};
  e.poses = {{kPose, [] { return cylinder_bend(60 / kDegrees); }}};
  e.methods = {{"standard", "standard", {.mode = NormalMode::standard}},
               {"merry", "Merry's cofactors", {.mode = NormalMode::cofactors}},
               {"merry-exact-gradients",
                "Merry's cofactors, exact gradients",
                {.mode = NormalMode::cofactors},
                kExactGradients}};
  e.npy_rig = kRig;
  e.shot = {.view = {.towards_eye = {0.8, 0.75, 0.35}, .up = {0, 0, 1}},
            .width = 380,
            .height = 480,
            .error_max_degrees = 30};
  e.pictures = {
      {"posed_standard.png", "Standard normals", PictureKind::posed, kRig, kPose, "standard"},
      {"posed_merry.png", "Merry's normals", PictureKind::posed, kRig, kPose, "merry"},
      {"posed_truth.png", "Truth: the surface differentiated in closed form", PictureKind::truth, kRig, kPose,
       ""},
      {"error_standard.png", "Error of the standard normals", PictureKind::error, kRig, kPose, "standard"},
      {"error_merry.png", "Error of Merry's normals, same scale", PictureKind::error, kRig, kPose, "merry"},
  };
  e.extra = prove;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::merry2006::normals
