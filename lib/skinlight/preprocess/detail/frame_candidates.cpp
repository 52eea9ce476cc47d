#include "skinlight/preprocess/detail/frame_candidates.h"

#include <algorithm>
#include <cmath>

#include "skinlight/preprocess/detail/least_squares.h"

namespace skinlight {

namespace {

using RingCorner = FrameProblem::Corner;

// Ridges of the least squares, of the mean diagonal entry: frames of clusters may be nearly parallel.
constexpr double kClusterRidge = 1e-3, kMatchingRidge = 1e-5, kSingularRidge = 1e-6;

constexpr int kClusterRounds = 8;  // on the models tried hardly a vertex changes after five

// Of weights: a difference below it is rounding.
constexpr double kSameWeights = 1e-9;

// A weighted mean of corners: what a frame stands for.
struct Mean {
  SlotVector offset;
  Vec3d centre{0.0};
  double weight = 0;

  explicit Mean(Eigen::Index slots) : offset(SlotVector::Zero(slots)) {}
  void add(const RingCorner& corner, double w) {
    offset += corner.D * w;
    centre += corner.centre * w;
    weight += w;
  }
  void give(Frames::Frame& frame) const {
    if (!(weight > 0)) return;
    frame.offset = offset / weight;
    frame.centre = centre / weight;
  }
};

void add_corner(const RingCorner& corner, double mu, Frames::Frame& frame) {
  for (std::size_t a = 0; a < 2; ++a) {
    frame.v[a] += corner.edge * (corner.along[a] * mu);
    frame.alpha[a] += corner.along[a] * mu;
  }
}

// Fills in the vectors. Frames without an offset add nothing.
void solve_vectors(const FrameProblem& problem, double relative_ridge, Frames& frames) {
  const Eigen::Index K = frames.count, corners = static_cast<Eigen::Index>(problem.ring.size());
  Eigen::MatrixXd offsets(problem.own.size(), K), wanted(problem.own.size(), corners);
  for (Eigen::Index k = 0; k < K; ++k) offsets.col(k) = frames.frame[static_cast<std::size_t>(k)].offset;
  for (Eigen::Index j = 0; j < corners; ++j) wanted.col(j) = problem.ring[static_cast<std::size_t>(j)].D;
  LeastSquares equations(K, corners);
  equations.add(offsets, wanted);
  if (!equations.solve(relative_ridge)) return;
  for (Eigen::Index j = 0; j < corners; ++j)
    for (Eigen::Index k = 0; k < K; ++k)
      add_corner(problem.ring[static_cast<std::size_t>(j)], equations.x()(k, j),
                 frames.frame[static_cast<std::size_t>(k)]);
}

// A: the means of clusters of corners, besides one held where the vertex itself is. Where every corner is
// where its cluster is, nothing is better: then fills in the vectors too, and returns true.
bool by_clusters(const FrameProblem& problem, Frames& frames) {
  const std::size_t corners = problem.ring.size();
  std::vector<double> nearest(corners);  // squared distance to a centre so far
  std::vector<int> cluster(corners, -1);
  for (std::size_t j = 0; j < corners; ++j) nearest[j] = problem.ring[j].D.squaredNorm();
  for (int k = 0; k < frames.count; ++k) {
    const auto farthest =
        static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    Frames::Frame& frame = frames.frame[static_cast<std::size_t>(k)];
    frame.offset = problem.ring[farthest].D;
    for (std::size_t j = 0; j < corners; ++j)
      nearest[j] = std::min(nearest[j], (problem.ring[j].D - frame.offset).squaredNorm());
  }
  for (int round = 0; round < kClusterRounds; ++round) {
    bool changed = false;
    for (std::size_t j = 0; j < corners; ++j) {
      const SlotVector& D = problem.ring[j].D;
      int best = frames.count;
      double least = D.squaredNorm();
      for (int k = 0; k < frames.count; ++k) {
        const double distance = (D - frames.frame[static_cast<std::size_t>(k)].offset).squaredNorm();
        if (distance < least) {
          least = distance;
          best = k;
        }
      }
      nearest[j] = least;
      changed |= best != cluster[j];
      cluster[j] = best;
    }
    if (!changed) break;
    for (int k = 0; k < frames.count; ++k) {
      Mean mean(problem.own.size());
      for (std::size_t j = 0; j < corners; ++j)
        if (cluster[j] == k) mean.add(problem.ring[j], problem.ring[j].omega());
      mean.give(frames.frame[static_cast<std::size_t>(k)]);
    }
  }
  if (*std::max_element(nearest.begin(), nearest.end()) > kSameWeights * kSameWeights) return false;
  for (std::size_t j = 0; j < corners; ++j)
    if (cluster[j] < frames.count)
      add_corner(problem.ring[j], 1, frames.frame[static_cast<std::size_t>(cluster[j])]);
  return true;
}

// The mean of the corners on the side of a direction.
void give_side(const FrameProblem& problem, const SlotVector& direction, Frames::Frame& frame) {
  Mean mean(problem.own.size());
  for (const RingCorner& corner : problem.ring)
    mean.add(corner, corner.omega() * std::max(0.0, corner.D.dot(direction)));
  mean.give(frame);
}

void project_out(const SlotVector& axis, std::vector<SlotVector>& rests) {
  const double square = axis.squaredNorm();
  if (!(square > kSameWeights * kSameWeights)) return;
  for (SlotVector& rest : rests) rest -= axis * (axis.dot(rest) / square);
}

// B: orthogonal matching. The direction of the corner that counts most, the mean of the corners on its side,
// and so on with what that leaves.
void by_matching(const FrameProblem& problem, int first, std::vector<SlotVector>& rests, Frames& frames) {
  for (int k = first; k < frames.count; ++k) {
    std::size_t most = 0;
    double largest = 0;
    for (std::size_t j = 0; j < rests.size(); ++j) {
      const double size = problem.ring[j].omega() * rests[j].squaredNorm();
      if (size > largest) {
        largest = size;
        most = j;
      }
    }
    if (!(rests[most].norm() > kSameWeights)) return;
    Frames::Frame& frame = frames.frame[static_cast<std::size_t>(k)];
    give_side(problem, rests[most].normalized(), frame);
    project_out(frame.offset, rests);
  }
}

// C: the directions in which the weights change most along the surface, half a step to the farthest corner;
// weights may then be slightly negative. These are the gradients, so that for equal rotations the frames
// are deform vectors.
void by_gradients(const FrameProblem& problem, std::vector<SlotVector>& rests, Frames& frames) {
  SlotVector alpha = SlotVector::Zero(problem.own.size()), beta = alpha;
  for (const RingCorner& corner : problem.ring) {
    alpha += corner.D * corner.along[0];
    beta += corner.D * corner.along[1];
  }
  const double aa = alpha.dot(alpha), bb = beta.dot(beta), ab = alpha.dot(beta);
  const double angle = .5 * std::atan2(2 * ab, aa - bb);
  std::array<SlotVector, 2> axes = {alpha * std::cos(angle) + beta * std::sin(angle),
                                    beta * std::cos(angle) - alpha * std::sin(angle)};
  int used = 0;
  const double first_size = axes[0].norm();
  for (const SlotVector& axis : axes) {
    if (used == frames.count || !(axis.norm() > kSameWeights * first_size)) break;
    SlotVector direction = axis.normalized();
    double farthest = 0;
    for (const RingCorner& corner : problem.ring) {
      const double along = corner.D.dot(direction);
      if (std::abs(along) > std::abs(farthest)) farthest = along;
    }
    Frames::Frame& frame = frames.frame[static_cast<std::size_t>(used++)];
    give_side(problem, farthest < 0 ? SlotVector(-direction) : direction, frame);  // for its centre
    frame.offset = direction * (.5 * farthest);
    project_out(direction, rests);
  }
  by_matching(problem, used, rests, frames);
}

}  // namespace

bool FrameProblem::varies() const {
  return std::any_of(ring.begin(), ring.end(), [](const FrameProblem::Corner& c) {
    return c.D.squaredNorm() > kSameWeights * kSameWeights;
  });
}

double FrameProblem::radius() const {
  double sum = 0;
  for (const RingCorner& corner : ring) sum += length(corner.edge);
  const double mean = sum / static_cast<double>(ring.size());
  return mean > 0 && std::isfinite(mean) ? mean : 1;
}

bool Frames::is_finite() const {
  for (int k = 0; k < count; ++k) {
    const Frame& f = frame[static_cast<std::size_t>(k)];
    if (!f.offset.allFinite() || !skinlight::is_finite(f.centre)) return false;
    for (std::size_t a = 0; a < 2; ++a)
      if (!skinlight::is_finite(f.v[a]) || !std::isfinite(f.alpha[a])) return false;
  }
  return true;
}

Frames no_frames(const FrameProblem& problem) {
  Frames frames;
  frames.count = problem.frames;
  for (Frames::Frame& frame : frames.frame) frame.offset = SlotVector::Zero(problem.own.size());
  return frames;
}

std::vector<Frames> frame_candidates(const FrameProblem& problem) {
  std::vector<Frames> candidates(1, no_frames(problem));
  if (by_clusters(problem, candidates[0])) return candidates;
  solve_vectors(problem, kClusterRidge, candidates[0]);
  std::vector<SlotVector> rests;
  const auto all = [&] {
    rests.clear();
    for (const RingCorner& corner : problem.ring) rests.push_back(corner.D);
    return no_frames(problem);
  };
  candidates.push_back(all());
  by_matching(problem, 0, rests, candidates.back());
  solve_vectors(problem, kMatchingRidge, candidates.back());
  candidates.push_back(all());
  by_gradients(problem, rests, candidates.back());
  solve_vectors(problem, kSingularRidge, candidates.back());
  return candidates;
}

}  // namespace skinlight
