// Random vertices for tests of the kernels that blend rigid motions.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/pack.h"
#include "skinlight/core/random.h"
#include "skinlight/rig/twist.h"
#include "skinlight/skinning/kernel_table.h"

namespace skinlight::test_rigid_vertex {

// What the kernels of all such methods are given.
template <class Real, int N>
struct Input {
  using K = Kernels<Real, N>;
  typename K::RigidInfluences x;
  typename K::TwistInfluences twists;  // the same motions
  typename K::DeformFactors f;
  typename K::RestVertex rest;
  typename K::Centre centre;
  typename K::SmoothWeights averaged;
};

// One random vertex: weights with the largest first, motions by any angle whose quaternions have any sign,
// factors that sum to 0, a tangent frame, a centre of rotation and its derivatives.
template <int N>
struct RandomVertex {
  double w[N], averaged[N];
  Eigen::Quaterniond r[N];
  Eigen::Vector3d translation[N];
  double sign[N];
  double alpha[N], beta[N];
  Vec3d p, n, t, b;
  Vec3d centre, centre_along_t, centre_along_b;

  explicit RandomVertex(Random& random, double steepness = .5, double largest_angle = M_PI) {
    double sum = 0;
    for (double& x : w) sum += x = random.uniform(.05, 1);
    for (double& x : w) x /= sum;
    std::sort(w, w + N, std::greater<>());
    for (int s = 0; s < N; ++s) {
      const Eigen::Vector3d axis = eigen(random.direction());
      r[s] = Eigen::AngleAxisd(random.uniform(-largest_angle, largest_angle), axis);
      translation[s] = eigen(random.in_cube(1));
      sign[s] = random.below(2) == 0 ? 1 : -1;
    }
    p = random.in_cube(2);
    n = random.direction();
    t = normalize(cross(n, random.direction()));
    b = cross(n, t) * (random.below(2) == 0 ? 1.0 : -1.0);
    alpha[0] = beta[0] = 0;
    for (int s = 1; s < N; ++s) {
      alpha[0] -= alpha[s] = random.uniform(-steepness, steepness);
      beta[0] -= beta[s] = random.uniform(-steepness, steepness);
    }
    centre = random.in_cube(2);
    centre_along_t = random.in_cube(1);
    centre_along_b = random.in_cube(1);
    for (int s = 0; s < N; ++s) averaged[s] = .8 * w[s] + .2 / N;
  }

  Eigen::Quaterniond dual_part(int s) const {
    return Eigen::Quaterniond(
        .5 *
        (Eigen::Quaterniond(0, translation[s].x(), translation[s].y(), translation[s].z()) * r[s]).coeffs());
  }
  Eigen::Vector3d moved(int s) const { return moved(s, p); }
  Eigen::Vector3d moved(int s, Vec3d point) const { return r[s] * eigen(point) + translation[s]; }
  DualQuat dual_quat(int s) const {
    const auto quat = [&](const Eigen::Quaterniond& q) {
      return Quat{sign[s] * q.x(), sign[s] * q.y(), sign[s] * q.z(), sign[s] * q.w()};
    };
    return {quat(r[s]), quat(dual_part(s))};
  }

  template <class Real>
  Input<Real, N> as() const {
    using V = Vec3<Real>;
    const auto quaternion = [](const Quat& q) {
      return typename Kernels<Real, N>::Quaternion{Real(q[3]), V(Vec3d(q[0], q[1], q[2]))};
    };
    Input<Real, N> in;
    for (int s = 0; s < N; ++s) {
      const DualQuat q = dual_quat(s);
      const Twist xi = log_of(q);
      in.x.w[s] = in.twists.w[s] = Real(w[s]);
      in.averaged.w[s] = Real(averaged[s]);
      in.x.q[s] = {quaternion(q.r), quaternion(q.d)};
      in.twists.xi[s] = {V(xi.turn), V(xi.shift)};
      in.f.alpha[s] = Real(alpha[s]);
      in.f.beta[s] = Real(beta[s]);
    }
    in.rest = {V(p), V(n), V(t), V(b)};
    in.centre = {V(centre), V(centre_along_t), V(centre_along_b)};
    return in;
  }
};

// Eight random vertices at once.
template <int N>
struct Lanes : Input<Pack<8>, N> {
  static constexpr int kLanes = 8;
  using P = Pack<kLanes>;
  using KP = Kernels<P, N>;
  std::vector<Input<float, N>> lane;

  explicit Lanes(Random& random) {
    for (int i = 0; i < kLanes; ++i) lane.push_back(RandomVertex<N>(random).template as<float>());
    for (int s = 0; s < N; ++s) {
      this->x.w[s] = this->twists.w[s] = gather([&](auto& in) { return in.x.w[s]; });
      this->averaged.w[s] = gather([&](auto& in) { return in.averaged.w[s]; });
      this->x.q[s] = {quaternion([&](auto& in) { return in.x.q[s].r; }),
                      quaternion([&](auto& in) { return in.x.q[s].d; })};
      this->twists.xi[s] = {vec3([&](auto& in) { return in.twists.xi[s].turn; }),
                            vec3([&](auto& in) { return in.twists.xi[s].shift; })};
      this->f.alpha[s] = gather([&](auto& in) { return in.f.alpha[s]; });
      this->f.beta[s] = gather([&](auto& in) { return in.f.beta[s]; });
    }
    this->rest = {vec3([](auto& in) { return in.rest.p; }), vec3([](auto& in) { return in.rest.n; }),
                  vec3([](auto& in) { return in.rest.t; }), vec3([](auto& in) { return in.rest.b; })};
    this->centre = {vec3([](auto& in) { return in.centre.c; }),
                    vec3([](auto& in) { return in.centre.along_t; }),
                    vec3([](auto& in) { return in.centre.along_b; })};
  }

  // That every lane of `eight` has the bits of one(its vertex).
  template <class One>
  void expect_equal(const typename KP::PosedVertex& eight, One one) const {
    using V = typename Kernels<float, N>::PosedVertex;
    for (const auto& [lanes, member] :
         {std::pair{eight.p, &V::p}, {eight.t, &V::t}, {eight.b, &V::b}, {eight.n, &V::n}})
      for (int c = 0; c < 3; ++c) {
        float values[kLanes];
        lanes[c].store(values);
        for (std::size_t i = 0; i < kLanes; ++i) {
          const float expected = (one(lane[i]).*member)[c];
          EXPECT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(expected))
              << "lane " << i << ": " << values[i] << " against " << expected;
        }
      }
  }

 private:
  template <class Get>
  P gather(Get get) const {
    float values[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) values[i] = get(lane[i]);
    return P::load(values);
  }
  template <class Get>
  Vec3<P> vec3(Get get) const {
    return {gather([&](auto& in) { return get(in).x; }), gather([&](auto& in) { return get(in).y; }),
            gather([&](auto& in) { return get(in).z; })};
  }
  template <class Get>
  typename KP::Quaternion quaternion(Get get) const {
    return {gather([&](auto& in) { return get(in).s; }), vec3([&](auto& in) { return get(in).v; })};
  }
};

}  // namespace skinlight::test_rigid_vertex
