// [SLIDES] "Character Animation", "Skinned Meshes": the other kinds of character animation beside linear blending, one
// small member of each on the same tube: animation space, shapes in the rest pose under skinning, examples, springs.
#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "repro/runner/csv.h"
#include "repro/runner/judgement.h"
#include "repro/study/posed_shape.h"
#include "repro/study/spring_bar.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/detail/decompositions.h"
#include "skinlight/mesh/normals.h"

namespace skinlight::repro::slides::skinning_kinds {

namespace {

using Eigen::Matrix3d, Eigen::MatrixXd, Eigen::Vector3d;
using Points = std::vector<Vec3d>;

constexpr double kHalfBlend = 2;
constexpr double kTwist = 150, kBend = 100;  // degrees, not among the examples

using Motion = Pose (*)(double radians);

// A pose and the shape that an artist would want of it. Here that is the one of dual quaternions, which keeps a twisted
// tube round and is known at every angle.
struct Example {
  double degrees;
  Points shape;
};

Pose pose_at(Motion motion, double degrees) { return motion(degrees / kDegrees); }

std::vector<Example> examples_at(const Stage& tube, Motion motion, const std::vector<double>& degrees) {
  std::vector<Example> all;
  for (const double d : degrees) all.push_back({d, tube.points(pose_at(motion, d), Method::dqs)});
  return all;
}

// The second bone's linear part; the first stays, and both turn about the origin.
Matrix3d turn_of(const Pose& pose) {
  Matrix3d R;
  for (int column = 0; column < 3; ++column)
    for (int line = 0; line < 3; ++line) R(line, column) = pose.M[1][column][line];
  return R;
}

Vector3d eigen(Vec3d v) { return {v.x, v.y, v.z}; }
Vec3d plain(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

// In the least squares, of smallest norm.
MatrixXd least_squares(const MatrixXd& A, const MatrixXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

// Animation space: every vertex has a rest position of its own for each bone, x = sum_i M_i p_i, where linear blending
// has p_i = w_i p. Learned as the smallest change of those that comes closest to the examples.
class AnimationSpace {
 public:
  AnimationSpace(const Stage& tube, Motion motion, const std::vector<Example>& examples)
      : tube_(tube), motion_(motion) {
    const auto count = static_cast<Eigen::Index>(examples.size()),
               vertices = static_cast<Eigen::Index>(tube.mesh().p0.size());
    MatrixXd A(3 * count, 6), missing(3 * count, vertices);
    for (Eigen::Index e = 0; e < count; ++e) {
      const Example& example = examples[static_cast<std::size_t>(e)];
      const Pose pose = pose_at(motion, example.degrees);
      A.block<3, 3>(3 * e, 0) = Matrix3d::Identity();
      A.block<3, 3>(3 * e, 3) = turn_of(pose);
      const Points linear = tube.points(pose, Method::lbs);
      for (Eigen::Index v = 0; v < vertices; ++v) {
        const auto i = static_cast<std::size_t>(v);
        missing.block<3, 1>(3 * e, v) = eigen(example.shape[i] - linear[i]);
      }
    }
    change_ = least_squares(A, missing);
  }

  Points at(double degrees) const {
    const Pose pose = pose_at(motion_, degrees);
    const Matrix3d R = turn_of(pose);
    Points p = tube_.points(pose, Method::lbs);
    for (std::size_t v = 0; v < p.size(); ++v) {
      const auto column = change_.col(static_cast<Eigen::Index>(v));
      p[v] += plain(column.head<3>() + R * column.tail<3>());
    }
    return p;
  }

 private:
  const Stage& tube_;
  Motion motion_;
  MatrixXd change_;  // 6 by #V
};

// The blended matrices' linear parts, of vertices: translations are zero here.
Matrix3d blended(const RiggedMesh& mesh, std::size_t v, const Matrix3d& R) {
  const double w = weight_of(mesh, static_cast<int>(v), 1);
  return (1 - w) * Matrix3d::Identity() + w * R;
}

// What is to be added to the rest pose so that linear blending makes the example of it: the inverse skinning
// transformation. #V by 3.
Points shapes_in_rest(const Stage& tube, Motion motion, const Example& example) {
  const RiggedMesh& mesh = tube.mesh();
  const Matrix3d R = turn_of(pose_at(motion, example.degrees));
  Points shape;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v)
    shape.push_back(plain(blended(mesh, v, R).partialPivLu().solve(eigen(example.shape[v]))) - mesh.p0[v]);
  return shape;
}

Points skinned(const Stage& tube, Motion motion, double degrees, const Points& added) {
  const RiggedMesh& mesh = tube.mesh();
  const Matrix3d R = turn_of(pose_at(motion, degrees));
  Points p;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v)
    p.push_back(plain(blended(mesh, v, R) * eigen(mesh.p0[v] + added[v])));
  return p;
}

// SMPL's model of muscles: the shapes in the rest pose are linear in the entries of R - I.
class LinearShapes {
 public:
  LinearShapes(const Stage& tube, Motion motion, const std::vector<Example>& examples)
      : tube_(tube), motion_(motion) {
    const auto count = static_cast<Eigen::Index>(examples.size()),
               vertices = static_cast<Eigen::Index>(tube.mesh().p0.size());
    MatrixXd F(count, 9), shapes(count, 3 * vertices);
    for (Eigen::Index e = 0; e < count; ++e) {
      const Example& example = examples[static_cast<std::size_t>(e)];
      F.row(e) = feature(example.degrees);
      const Points shape = shapes_in_rest(tube, motion, example);
      for (Eigen::Index v = 0; v < vertices; ++v)
        shapes.block<1, 3>(e, 3 * v) = eigen(shape[static_cast<std::size_t>(v)]).transpose();
    }
    basis_ = least_squares(F, shapes);
  }

  Points at(double degrees) const {
    const Eigen::RowVectorXd shape = feature(degrees) * basis_;
    Points added;
    for (Eigen::Index v = 0; 3 * v < shape.size(); ++v)
      added.push_back(plain(shape.segment<3>(3 * v).transpose()));
    return skinned(tube_, motion_, degrees, added);
  }

 private:
  Eigen::Matrix<double, 1, 9> feature(double degrees) const {
    const Matrix3d away = turn_of(pose_at(motion_, degrees)) - Matrix3d::Identity();
    return Eigen::Map<const Eigen::Matrix<double, 1, 9>>(away.data());
  }

  const Stage& tube_;
  Motion motion_;
  MatrixXd basis_;  // 9 by 3 #V
};

// Examples alone: between two of them the shapes in the rest pose are mixed in proportion. degrees: within theirs.
Points between_examples(const Stage& tube, Motion motion, const std::vector<Example>& examples,
                        double degrees) {
  std::size_t next = 1;
  while (next + 1 < examples.size() && examples[next].degrees < degrees) ++next;
  const Example &a = examples[next - 1], &b = examples[next];
  const double t = (degrees - a.degrees) / (b.degrees - a.degrees);
  Points shape = shapes_in_rest(tube, motion, a);
  const Points to = shapes_in_rest(tube, motion, b);
  for (std::size_t v = 0; v < shape.size(); ++v) shape[v] = (1 - t) * shape[v] + t * to[v];
  return skinned(tube, motion, degrees, shape);
}

double rms_distance(const Points& a, const Points& b) {
  double sum = 0;
  for (std::size_t v = 0; v < a.size(); ++v) sum += dot(a[v] - b[v], a[v] - b[v]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

double nearest_ring(const RiggedMesh& mesh) {
  double z = INFINITY;
  for (const Vec3d& p : mesh.p0)
    if (std::abs(p.z) < std::abs(z)) z = p.z;
  return z;
}

std::vector<double> evenly(double first, double last, int count) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(first + (last - first) * i / (count - 1));
  return all;
}

// The tube in one twist and one bend that are not among the examples, by every kind.
void shapes(const Stage& tube, Workbench& bench) {
  const RiggedMesh& mesh = tube.mesh();
  const double z = nearest_ring(mesh), at_rest = section_area(mesh.p0, mesh.p0, z);
  const std::vector<double> one_way = evenly(0, 160, 5), both_ways = evenly(-160, 160, 9),
                            bends_one_way = evenly(0, 120, 4), bends_both_ways = evenly(-120, 120, 7);
  struct Kind {
    std::string name, label;
    Points twisted, bent;
  };
  const AnimationSpace twist_once(tube, cylinder_twist, examples_at(tube, cylinder_twist, one_way)),
      twist_both(tube, cylinder_twist, examples_at(tube, cylinder_twist, both_ways)),
      bend_once(tube, cylinder_bend, examples_at(tube, cylinder_bend, bends_one_way)),
      bend_both(tube, cylinder_bend, examples_at(tube, cylinder_bend, bends_both_ways));
  const LinearShapes twist_shapes(tube, cylinder_twist, examples_at(tube, cylinder_twist, both_ways)),
      bend_shapes(tube, cylinder_bend, examples_at(tube, cylinder_bend, bends_both_ways));
  const Pose twist = pose_at(cylinder_twist, kTwist), bend = pose_at(cylinder_bend, kBend);
  const std::vector<Kind> kinds = {
      {"wanted", "what the examples show", tube.points(twist, Method::dqs), tube.points(bend, Method::dqs)},
      {"lbs", "linear blending", tube.points(twist, Method::lbs), tube.points(bend, Method::lbs)},
      {"space_one_way", "animation space, examples of one direction", twist_once.at(kTwist),
       bend_once.at(kBend)},
      {"space_both_ways", "animation space, examples of both directions", twist_both.at(kTwist),
       bend_both.at(kBend)},
      {"shapes", "shapes in the rest pose, under skinning", twist_shapes.at(kTwist), bend_shapes.at(kBend)}};
  const Surface surface(mesh.faces, weld(mesh));
  const Shot shot{.view = {.towards_eye = {1, -0.35, 0.15}, .up = {0, 0, 1}, .fov_degrees = 0},
                  .width = 200,
                  .height = 260};
  const std::vector<Vec3f> wanted_twist = to_float(kinds[0].twisted), wanted_bend = to_float(kinds[0].bent);
  std::string table = "kind,twist_section_share,bend_rms\n";
  for (const Kind& kind : kinds) {
    const double section = section_area(mesh.p0, kind.twisted, z) / at_rest,
                 off = rms_distance(kind.bent, kinds[0].bent);
    table += csv_row({kind.name}, {section, off});
    bench.results.values["section_" + kind.name] = section;
    bench.results.values["bend_rms_" + kind.name] = off;
    for (const bool bent : {false, true}) {
      const Points& p = bent ? kind.bent : kind.twisted;
      const Framing framing = framing_of(shot, {bent ? wanted_bend : wanted_twist});
      bench.write_image((bent ? "bend_" : "twist_") + kind.name + ".png",
                        std::string(bent ? "Bend of 100" : "Twist of 150") + " degrees: " + kind.label,
                        bench.studio.shaded(mesh.faces, to_float(p),
                                            to_float(vertex_normals(surface, p, Averaging::area)), framing));
    }
  }
  bench.write_table(
      "kinds.csv",
      "The middle section of the twisted tube over that at rest, and how far the bent one is off", table);
}

// The more examples, the closer to what was not among them.
void number_of_examples(const Stage& tube, Workbench& bench) {
  std::string table = "examples,rms\n";
  std::vector<double> off;
  for (const int count : {2, 3, 5, 9}) {
    const std::vector<Example> examples = examples_at(tube, cylinder_bend, evenly(0, 160, count));
    double square = 0;
    const std::vector<double> unseen = evenly(5, 155, 16);
    for (const double degrees : unseen) {
      const double rms = rms_distance(between_examples(tube, cylinder_bend, examples, degrees),
                                      tube.points(pose_at(cylinder_bend, degrees), Method::dqs));
      square += rms * rms;
    }
    off.push_back(std::sqrt(square / static_cast<double>(unseen.size())));
    table += csv_row({std::to_string(count)}, {off.back()});
  }
  bench.results.values["examples_gain"] = off.front() / off.back();
  bench.write_table("examples.csv", "Distance to bends that are not among the examples", table);
}

// Where linear blending collapses there is no inverse skinning transformation.
void lost_inverse(const Stage& tube, Workbench& bench) {
  const RiggedMesh& mesh = tube.mesh();
  const Matrix3d R = turn_of(pose_at(cylinder_twist, 180));
  double smallest = INFINITY;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    smallest = std::min(smallest, singular_values(blended(mesh, v, R)).values.z());
  }
  bench.results.values["inverse_left_at_180"] = smallest;
}

// A solid bar of springs, its ends held by the bones: what a simulation makes of it, and what that takes.
void springs(Workbench& bench) {
  const SpringBar bar({.half_length = 3, .half_blend = kHalfBlend});
  const Points linear = bar.blended(cylinder_twist(kTwist / kDegrees));
  const SpringBar::Rest settled = bar.settle(cylinder_twist(kTwist / kDegrees));
  const double at_rest = bar.volume(bar.rest());
  auto& values = bench.results.values;
  values["springs_volume"] = bar.volume(settled.p) / at_rest;
  values["springs_lbs_volume"] = bar.volume(linear) / at_rest;
  values["springs_steps"] = settled.steps;
  values["springs_largest_force"] = bar.largest_force(settled.p);
}

void run(Workbench& bench) {
  const Stage tube(
      cylinder({.half_length = 3, .half_blend = kHalfBlend, .ramp = Ramp::smootherstep}, {.segments = 48}),
      bench);
  bench.progress("learning from examples");
  shapes(tube, bench);
  number_of_examples(tube, bench);
  lost_inverse(tube, bench);
  bench.progress("letting springs settle");
  springs(bench);
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Character Animation, Skinned Meshes";
  e.title = "Other kinds of character animation";
  e.says =
      "Linear blending collapses; animation space, learned from examples, avoids that. "
      "SMPL models muscles by linear shapes in the reference pose and undoes the skinning to learn them. "
      "Example based deformation needs many examples, and simulation costs much more than skinning.";
  e.extra = run;
  e.findings = {
      {"lbs_section", value_of("section_lbs")},
      {"animation_space_one_way", value_of("section_space_one_way")},
      {"animation_space_both_ways", value_of("section_space_both_ways")},
      {"animation_space_bend",
       [](const Results& r) { return r.value("bend_rms_space_one_way") / r.value("bend_rms_lbs"); }},
      {"shapes_section", value_of("section_shapes")},
      {"shapes_bend", [](const Results& r) { return r.value("bend_rms_shapes") / r.value("bend_rms_lbs"); }},
      {"inverse_left_at_180", value_of("inverse_left_at_180")},
      {"examples_gain", value_of("examples_gain")},
      {"springs_volume", value_of("springs_volume")},
      {"springs_lbs_volume", value_of("springs_lbs_volume")},
      {"springs_largest_force", value_of("springs_largest_force")},
      {"springs_steps", value_of("springs_steps")}};
  return e;
}

}  // namespace skinlight::repro::slides::skinning_kinds
