// A solid bar of springs between two bones: the smallest honest member of physically based deformation. Its flesh is a
// lattice of masses, every edge and diagonal of which is a spring; the ends are held by the bones, and what lies between
// comes to rest.
#pragma once

#include <Eigen/SparseCholesky>
#include <array>
#include <utility>
#include <vector>

#include "skinlight/rig/pose.h"

namespace skinlight::repro {

struct SpringBarShape {
  double half_length = 3;  // along z, 2 wide across
  double half_blend = 2;   // masses with |z| < half_blend are free
  int across = 6;          // cells over the width; along z they are cubes
};

class SpringBar {
 public:
  explicit SpringBar(const SpringBarShape& shape);

  const std::vector<Vec3d>& rest() const { return rest_; }

  // As linear blending poses it, with the weights of cylinder(): where the masses start. #masses by 3.
  std::vector<Vec3d> blended(const Pose& pose) const;

  struct Rest {
    std::vector<Vec3d> p;  // #masses by 3
    int steps = 0;         // solves of the whole system until no mass moved by 1e-7 any more
  };
  // Static equilibrium, reached by projective dynamics: springs choose their directions, then all masses are solved for.
  // Throws std::logic_error when it is not reached.
  Rest settle(const Pose& pose) const;

  double volume(const std::vector<Vec3d>& p) const;
  // The largest sum of forces at a free mass, where a spring stretched by 1 pulls with 1: zero at equilibrium.
  double largest_force(const std::vector<Vec3d>& p) const;

 private:
  struct Spring {
    int a, b;
    double length;
  };
  std::vector<Vec3d> rest_;
  std::vector<double> weight_;  // of bone 1
  std::vector<int> free_;       // index among the free masses, -1: held
  std::vector<Spring> springs_;
  std::vector<std::array<int, 8>> cells_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> system_;
};

}  // namespace skinlight::repro
