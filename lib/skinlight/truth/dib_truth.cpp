// Dual quaternion iterative blending by another route than the kernel: logarithms by repeated square roots, exponentials
// by their power series, quaternions over a + eps b of complex numbers, whose imaginary parts are the derivatives.
#include "skinlight/core/dual.h"
#include "skinlight/truth/detail/complex_step.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

using namespace complex_step;

namespace {

using Number = Dual<Complex>;

struct DualQuaternion {
  Number s;
  Vec3<Number> v;
};

DualQuaternion product(const DualQuaternion& a, const DualQuaternion& b) {
  return {a.s * b.s - dot(a.v, b.v), b.v * a.s + a.v * b.s + cross(a.v, b.v)};
}
DualQuaternion scaled(const DualQuaternion& a, Number k) { return {a.s * k, a.v * k}; }
DualQuaternion sum(const DualQuaternion& a, const DualQuaternion& b) { return {a.s + b.s, a.v + b.v}; }
DualQuaternion conjugate(const DualQuaternion& a) { return {a.s, -a.v}; }
DualQuaternion normalised(const DualQuaternion& a) {
  return scaled(a, Number(Complex(1)) / sqrt(a.s * a.s + dot(a.v, a.v)));
}

DualQuaternion of(const Motion& q) {
  const auto number = [&](int i) { return Number(Complex(q.r[i]), Complex(q.d[i])); };
  return {number(0), {number(1), number(2), number(3)}};
}

// The vector l with exp l = a, half the twist. The square root of a is 1 + a over its length; of its 256th root the
// vector part w has the length of sin |l / 256|, and arcsin x = x (1 + x^2 / 6 + 3 x^4 / 40 + 15 x^6 / 336 + ...).
Vec3<Number> logarithm(DualQuaternion a) {
  for (int root = 0; root < 8; ++root) {
    a.s = a.s + Number(Complex(1));
    a = normalised(a);
  }
  const auto constant = [](double x) { return Number(Complex(x)); };
  const Number x = dot(a.v, a.v);
  return a.v * (constant(1) + x * (constant(1. / 6) + x * (constant(3. / 40) + x * constant(15. / 336)))) *
         constant(256);
}

DualQuaternion exponential(const Vec3<Number>& l) {
  const Number zero(Complex(0)), one(Complex(1));
  DualQuaternion term{one, Vec3<Number>(zero)}, all = term;
  for (int n = 1; n < 40; ++n) {
    term = scaled(product(term, {zero, l}), Number(Complex(1. / n)));
    all = sum(all, term);
  }
  return all;
}

// c exp(sum_s w[s] log(c* q[s])), c the normalised sum of w[s] q[s] with signs chosen against slot 0.
DualQuaternion iterated(const std::vector<Motion>& bones, std::span<const int> bone,
                        std::span<const Complex> weight) {
  std::vector<DualQuaternion> q;
  const Motion& first = bones[static_cast<std::size_t>(bone[0])];
  DualQuaternion blend = scaled(of(first), Number(Complex(0)));
  for (std::size_t k = 0; k < bone.size(); ++k) {
    const Motion& motion = bones[static_cast<std::size_t>(bone[k])];
    q.push_back(scaled(of(motion), Number(Complex(motion.r.dot(first.r) < 0 ? -1 : 1))));
    blend = sum(blend, scaled(q.back(), Number(weight[k])));
  }
  const DualQuaternion c = normalised(blend);
  Vec3<Number> step(Number(Complex(0)));
  for (std::size_t k = 0; k < bone.size(); ++k)
    step = step + logarithm(product(conjugate(c), q[k])) * Number(weight[k]);
  return product(c, exponential(step));
}

Vector4 real_part(const DualQuaternion& a) { return {a.s.v, a.v.x.v, a.v.y.v, a.v.z.v}; }
Vector4 dual_part(const DualQuaternion& a) { return {a.s.d, a.v.x.d, a.v.y.d, a.v.z.d}; }

}  // namespace

std::vector<Vec3d> analytic_dib_normals(const ProceduralRig& rig, const Pose& pose) {
  const MotionsOfVertices bones(rig.mesh, pose);
  return normals(rig, pose, [&](int v, int, const std::vector<Complex>& weight, const Vector3& p) -> Vector3 {
    const DualQuaternion m = iterated(bones.of(v), rig.mesh.bones_of(v), weight);
    return turned(real_part(m), bones.scale(v) * p) + translation(real_part(m), dual_part(m));
  });
}

std::vector<Mat3d> blended_dib_rotation(const RiggedMesh& mesh, const Pose& pose) {
  const MotionsOfVertices bones(mesh, pose);
  std::vector<Mat3d> rotations;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const std::vector<Complex> weight(mesh.weights_of(v).begin(), mesh.weights_of(v).end());
    const Vector4 r = real_part(iterated(bones.of(v), mesh.bones_of(v), weight));
    rotations.push_back(rotation_matrix(r, bones.scale(v)));
  }
  return rotations;
}

}  // namespace skinlight
