#include "skinlight/samples/quadruped.h"

#include <algorithm>
#include <string>

#include "skinlight/samples/capsules.h"
#include "skinlight/samples/detail/revolution.h"

namespace skinlight {

namespace {

// A limb: a line through points, each with a radius, that is cut into bones of equal length.
struct LimbPoint {
  Vec3d p;
  double radius;
};

enum Part { kSpine, kNeck, kTail, kFrontLeft, kFrontRight, kHindLeft, kHindRight, kLeftEar, kRightEar, kJaw };

enum Hold { kOnNone, kOnFirst, kOnLast };  // the bone of the parent that a limb hangs on

struct Limb {
  Part part, parent;
  Hold hold;
  std::vector<LimbPoint> line;
};

std::vector<Limb> limbs() {
  std::vector<Limb> all = {
      {kSpine, kSpine, kOnNone, {{{0, .50, .82}, .17}, {{0, .05, .85}, .17}, {{0, -.40, .84}, .20}}},
      {kNeck, kSpine, kOnLast, {{{0, -.46, .92}, .15}, {{0, -.74, 1.18}, .13}, {{0, -1.10, 1.14}, .07}}},
      {kTail, kSpine, kOnFirst, {{{0, .62, .88}, .08}, {{0, .90, .80}, .08}, {{0, 1.20, .60}, .06}}}};
  for (const double side : {1.0, -1.0}) {
    const double x = side * .19;
    all.push_back(
        {side > 0 ? kFrontLeft : kFrontRight,
         kSpine,
         kOnLast,
         {{{x, -.40, .74}, .11}, {{x, -.34, .46}, .09}, {{x, -.37, .20}, .07}, {{x, -.46, .07}, .07}}});
    all.push_back({side > 0 ? kHindLeft : kHindRight,
                   kSpine,
                   kOnFirst,
                   {{{x, .48, .76}, .13}, {{x, .36, .48}, .09}, {{x, .56, .26}, .07}, {{x, .46, .07}, .07}}});
  }
  for (const double side : {1.0, -1.0})
    all.push_back({side > 0 ? kLeftEar : kRightEar,
                   kNeck,
                   kOnLast,
                   {{{side * .11, -.74, 1.28}, .06}, {{side * .17, -.70, 1.42}, .06}}});
  all.push_back({kJaw, kNeck, kOnLast, {{{0, -.80, 1.04}, .07}, {{0, -1.04, .90}, .06}}});
  return all;
}

int bones_of(const QuadrupedShape& shape, Part part) {
  switch (part) {
    case kSpine:
      return shape.spine;
    case kNeck:
      return shape.neck;
    case kTail:
      return shape.tail;
    case kFrontLeft:
    case kFrontRight:
    case kHindLeft:
    case kHindRight:
      return shape.leg;
    default:
      return 1;
  }
}

int first_bone(const QuadrupedShape& shape, Part part) {
  int first = 0;
  for (const Limb& limb : limbs()) {
    if (limb.part == part) break;
    first += bones_of(shape, limb.part);
  }
  return first;
}

// The point at a share of the line's length.
LimbPoint along(const std::vector<LimbPoint>& line, double share) {
  double total = 0;
  for (std::size_t i = 1; i < line.size(); ++i) total += length(line[i].p - line[i - 1].p);
  double left = share * total;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const double piece = length(line[i].p - line[i - 1].p);
    if (left <= piece || i + 1 == line.size()) {
      const double x = std::min(left / piece, 1.0);
      return {line[i - 1].p * (1 - x) + line[i].p * x, line[i - 1].radius * (1 - x) + line[i].radius * x};
    }
    left -= piece;
  }
  return line.back();
}

std::vector<Joint> joints(const QuadrupedShape& shape) {
  std::vector<Joint> all;
  for (const Limb& limb : limbs()) {
    const int bones = bones_of(shape, limb.part);
    const int last_of_parent = first_bone(shape, limb.parent) + bones_of(shape, limb.parent) - 1;
    for (int s = 0; s < bones; ++s) {
      const int hangs_on = limb.hold == kOnNone   ? -1
                           : limb.hold == kOnLast ? last_of_parent
                                                  : first_bone(shape, limb.parent);
      const int self = static_cast<int>(all.size());
      all.push_back({s > 0 ? self - 1 : hangs_on, along(limb.line, static_cast<double>(s) / bones).p});
    }
  }
  return all;
}

// A bend of a whole part: every bone of it turns by its share.
struct Bend {
  Part part;
  Vec3d axis;
  double degrees;
};

NamedPose pose_named(const QuadrupedShape& shape, const char* name, std::initializer_list<Bend> bends) {
  std::vector<JointTurn> turns;
  for (const Bend& bend : bends) {
    const int bones = bones_of(shape, bend.part), first = first_bone(shape, bend.part);
    for (int s = 0; s < bones; ++s) turns.push_back({first + s, bend.axis, bend.degrees / bones});
  }
  return {name, pose_of(joints(shape), turns)};
}

}  // namespace

ProceduralRig quadruped(const QuadrupedShape& shape) {
  require(std::min({shape.spine, shape.neck, shape.tail, shape.leg}) >= 1, "quadruped",
          "every part needs at least one bone");
  // Among the spacings at which surface nets give a manifold.
  const double spacing = shape.fine ? 0.02532 : 0.057;
  CapsuleSkin skin{.capsules = {}, .blend = 0.05, .spacing = spacing, .weight_reach = 0.1, .slots = 4};
  const auto capsule = [](const LimbPoint& a, const LimbPoint& b, int bone) {
    return Capsule{a.p, b.p, (a.radius + b.radius) / 2, bone};
  };
  // The skin is the same however many bones move it.
  for (const Limb& limb : limbs()) {
    const int bones = bones_of(shape, limb.part), first = first_bone(shape, limb.part);
    for (std::size_t i = 1; i < limb.line.size(); ++i)
      skin.capsules.push_back(capsule(limb.line[i - 1], limb.line[i], first));
    for (int s = 0; s < bones; ++s)
      skin.binding.push_back(capsule(along(limb.line, static_cast<double>(s) / bones),
                                     along(limb.line, (s + 1.0) / bones), first + s));
  }
  return capsule_character(skin, shape.bones());
}

std::vector<NamedPose> quadruped_poses(const QuadrupedShape& shape) {
  return {pose_named(shape, "walk",
                     {{kFrontLeft, kX, -35},
                      {kFrontRight, kX, 25},
                      {kHindLeft, kX, 30},
                      {kHindRight, kX, -35},
                      {kNeck, kX, 15},
                      {kTail, kZ, 40}}),
          pose_named(shape, "attack",
                     {{kSpine, kX, -35},
                      {kNeck, kX, 30},
                      {kJaw, kX, 30},
                      {kFrontLeft, kX, -70},
                      {kFrontRight, kX, -50},
                      {kHindLeft, kX, 60},
                      {kHindRight, kX, 45},
                      {kTail, kX, -50}}),
          pose_named(shape, "sit",
                     {{kSpine, kX, -30},
                      {kNeck, kX, 40},
                      {kFrontLeft, kX, 25},
                      {kFrontRight, kX, 25},
                      {kHindLeft, kX, -60},
                      {kHindRight, kX, -60},
                      {kTail, kZ, 90},
                      {kLeftEar, kX, 30}})};
}

ProceduralRig of_size(const ProceduralRig& rig, int vertices, int faces) {
  require(faces >= 1 && faces <= static_cast<int>(rig.mesh.faces.size()), "faces " + std::to_string(faces),
          "the rig has " + std::to_string(rig.mesh.faces.size()));
  RiggedMesh shape;  // positions, normals and weights; the rest follows
  shape.bone_count = rig.mesh.bone_count;
  shape.slots = rig.mesh.slots;
  shape.faces.assign(rig.mesh.faces.end() - faces, rig.mesh.faces.end());
  const auto copy = [&](int v) {
    shape.p0.push_back(rig.mesh.p0[static_cast<std::size_t>(v)]);
    shape.n0.push_back(rig.mesh.n0[static_cast<std::size_t>(v)]);
    for (const int bone : rig.mesh.bones_of(v)) shape.bone.push_back(bone);
    for (const double w : rig.mesh.weights_of(v)) shape.weight.push_back(w);
    return shape.vertex_count() - 1;
  };
  std::vector<int> renamed(rig.mesh.p0.size(), -1);
  std::vector<int> source;  // the rig's vertex of each new one
  for (Face& f : shape.faces)
    for (int& v : f) {
      int& name = renamed[static_cast<std::size_t>(v)];
      if (name < 0) {
        name = copy(v);
        source.push_back(v);
      }
      v = name;
    }
  const int shared = shape.vertex_count();
  require(vertices >= shared, "vertices " + std::to_string(vertices),
          "the faces have " + std::to_string(shared) + " corners that differ");
  std::vector<char> used(static_cast<std::size_t>(shared), 0);
  for (Face& f : shape.faces)
    for (int& v : f) {
      if (shape.vertex_count() == vertices) break;
      if (!used[static_cast<std::size_t>(v)])
        used[static_cast<std::size_t>(v)] = 1;  // the first corner keeps the vertex
      else
        v = copy(source[static_cast<std::size_t>(v)]);
    }
  require(shape.vertex_count() == vertices, "vertices " + std::to_string(vertices), "more than corners");
  compute_tangent_frames(shape);
  validate(shape);
  return {std::move(shape), {}};
}

}  // namespace skinlight
