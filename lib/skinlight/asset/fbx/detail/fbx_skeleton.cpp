#include "skinlight/asset/fbx/detail/fbx_skeleton.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "skinlight/asset/detail/reading.h"

namespace skinlight::fbx {

namespace {

constexpr std::string_view kTranslation = "Lcl Translation", kRotation = "Lcl Rotation",
                           kScaling = "Lcl Scaling";
constexpr double kSame = 1e-7;   // of scales: floats of the file
constexpr double kClose = 1e-8;  // of a track to its motion: of its size, or of a unit quaternion
constexpr std::size_t kMostAncestors = 2000;

Motion motion_of(const Moving& m) {
  return {{m.value.x, m.value.y, m.value.z, 0}, {m.rate.x, m.rate.y, m.rate.z, 0}};
}

// v turned by a unit quaternion: v + 2 w (u x v) + 2 u x (u x v), and how that changes.
Moving turned(const Motion& turn, const Moving& v) {
  const Vec3d u{turn.value[0], turn.value[1], turn.value[2]}, du{turn.rate[0], turn.rate[1], turn.rate[2]};
  const double w = turn.value[3], dw = turn.rate[3];
  const auto apply = [](Vec3d axis, double real, Vec3d x) {
    return x + 2 * real * cross(axis, x) + 2 * cross(axis, cross(axis, x));
  };
  const Vec3d c = cross(u, v.value), dc = cross(du, v.value);
  return {apply(u, w, v.value), 2 * (dw * c + w * dc + cross(du, c) + cross(u, dc)) + apply(u, w, v.rate)};
}

}  // namespace

SkeletonBuilder::SkeletonBuilder(const Document& document, const std::vector<Stack>& stacks,
                                 const std::set<const Object*>& used, Skeleton& skeleton,
                                 std::vector<Warning>& warnings)
    : document_(document), stacks_(stacks), skeleton_(skeleton), warnings_(warnings) {
  read_items(used);
  build(order_, -1, "", scene_);
}

// Each wanted Model with its ancestors, from the root down.
void SkeletonBuilder::read_items(const std::set<const Object*>& used) {
  for (const Object& object : document_.objects()) {
    if (used.count(&object) == 0) continue;
    std::vector<const Object*> path;
    for (const Object* m = &object; m != nullptr && items_.count(m) == 0; m = document_.parent(*m, "Model")) {
      if (path.size() > kMostAncestors || std::find(path.begin(), path.end(), m) != path.end())
        throw InputError("", m->label(), "is its own ancestor, or stands too deep below others");
      path.push_back(m);
    }
    for (auto m = path.rbegin(); m != path.rend(); ++m) {
      Item& item = items_[*m];
      item.parent = document_.parent(**m, "Model");
      item.transform = read_transform(**m, warnings_);
      find_scales(item, *m);
      find_inheritance(item, *m);
      order_.push_back(*m);
    }
  }
}

// Four points of each segment tell a cubic curve.
void SkeletonBuilder::find_scales(Item& item, const Object* model) {
  const auto look = [&](Vec3d s) {
    for (int i = 0; i < 3; ++i) {
      if (std::abs(s[i] - 1) > kSame) item.keeps_scale_of_one = false;
      if (std::abs(s[i] - s[(i + 1) % 3]) > kSame * std::abs(s[i])) item.is_uniform = false;
    }
  };
  look(item.transform.scaling);
  for (const Stack& stack : stacks_) {
    item.turns |= stack.find(model, kRotation) != nullptr;
    const Layers* scaling = stack.find(model, kScaling);
    if (scaling == nullptr) continue;
    item.scales = true;
    const std::vector<double> times = stack.breakpoints({scaling});
    for (std::size_t k = 0; k < times.size(); ++k)
      for (const double u : {0.0, .25, .5, .75, 1.0}) {
        const double next = times[std::min(k + 1, times.size() - 1)], middle = (times[k] + next) / 2;
        look(blended(*scaling, true, times[k] + u * (next - times[k]), middle).value);
      }
  }
}

// RrSs and Rrs differ from a product of matrices only below scales that are not uniform, or (Rrs) not 1. There
// the linear part of the scene's transform is the product of the rotations times that of the scales along
// the node's own axes: `inherited` and its own.
void SkeletonBuilder::find_inheritance(Item& item, const Object* model) {
  if (item.parent == nullptr || item.transform.inherit == Inherit::rsrs) return;
  Item& parent = items_.at(item.parent);
  std::vector<const Object*> of_parent = parent.inherited;
  of_parent.push_back(item.parent);
  const bool is_rrss = item.transform.inherit == Inherit::rrss;
  const bool is_uniform = std::all_of(of_parent.begin(), of_parent.end(),
                                      [&](const Object* m) { return items_.at(m).is_uniform; });
  if (is_uniform && (is_rrss || parent.keeps_scale_of_one)) return;
  item.is_special = item.needs_frame = parent.needs_frame = true;
  for (const Object* m : is_rrss ? of_parent : parent.inherited)
    if (!items_.at(m).keeps_scale_of_one) item.inherited.push_back(m);
  for (const Object* m = parent.is_special ? nullptr : parent.parent; m != nullptr; m = items_.at(m).parent)
    if (!items_.at(m).is_uniform) {
      warn(
          warnings_, model->label(),
          "inherits scale by InheritType below a scale that is not uniform and shears; its shape there may differ");
      break;
    }
}

bool SkeletonBuilder::is_moved(const Object* model) const {
  for (const Object* m = model; m != nullptr; m = items_.at(m).parent)
    for (const Stack& stack : stacks_)
      for (const std::string_view name : {kTranslation, kRotation, kScaling})
        if (const Layers* layers = stack.find(m, name)) {
          const auto at = [&](const Stack* in, double time, double inside) {
            return name == kRotation ? turn_of_node(m, in, time, inside)
                                     : motion_of(property(m, name, in, time, inside));
          };
          const Motion still = at(nullptr, 0, 0);
          const std::vector<double> times = stack.breakpoints({layers});
          for (std::size_t k = 0; k < times.size(); ++k)
            for (const double u : {0.0, .25, .5, .75, 1.0}) {
              const double next = times[std::min(k + 1, times.size() - 1)], middle = (times[k] + next) / 2;
              const Motion moved = at(&stack, times[k] + u * (next - times[k]), middle);
              for (std::size_t i = 0; i < 4; ++i)
                if (std::abs(moved.value[i] - still.value[i]) > kSame * (1 + std::abs(still.value[i])))
                  return true;
            }
        }
  return false;
}

std::map<const Object*, int> SkeletonBuilder::copy_below(int below, const std::set<const Object*>& models,
                                                         const std::string& suffix) {
  std::set<const Object*> wanted;
  for (const Object* model : models)
    for (const Object* m = model; m != nullptr && wanted.insert(m).second;) m = items_.at(m).parent;
  std::vector<const Object*> order;
  std::copy_if(order_.begin(), order_.end(), std::back_inserter(order),
               [&](const Object* m) { return wanted.count(m) != 0; });
  Instance instance;
  build(order, below, suffix, instance);
  std::map<const Object*, int> nodes;
  for (const Object* model : models) nodes[model] = instance.at(model).full;
  return nodes;
}

int SkeletonBuilder::add_node(const std::string& name, int parent) {
  constexpr std::size_t kMostNodes = std::size_t{1} << 20;  // copies for each mesh could fill the memory
  if (skeleton_.nodes.size() >= kMostNodes) throw InputError("", name, "is one node too many");
  Node node;
  node.name = name;
  node.parent = parent;
  skeleton_.nodes.push_back(std::move(node));
  return static_cast<int>(skeleton_.nodes.size()) - 1;
}

void SkeletonBuilder::drive(int node, Path path, Formula formula,
                            std::vector<std::pair<const Object*, std::string_view>> depends_on) {
  const Motion still = formula(nullptr, 0, 0);
  Node& to = skeleton_.nodes[static_cast<std::size_t>(node)];
  if (path == Path::rotation)
    to.rotation = still.value;
  else
    (path == Path::translation ? to.translation : to.scale) = {still.value[0], still.value[1],
                                                               still.value[2]};
  drives_.push_back({node, path, std::move(formula), std::move(depends_on)});
}

void SkeletonBuilder::build(const std::vector<const Object*>& models, int below, const std::string& suffix,
                            Instance& instance) {
  for (const Object* model : models) {
    const Item& item = items_.at(model);
    const Transform& t = item.transform;
    const std::string name = model->name + suffix;
    const Made of_parent = item.parent == nullptr ? Made{below, below} : instance.at(item.parent);
    Made made;

    const Formula turn = [this, model, &item](const Stack* stack, double time, double inside) {
      return rotation_of(item.transform, turn_of_node(model, stack, time, inside));
    };
    const Formula place = [this, model](const Stack* stack, double time, double inside) {
      return motion_of(place_of(model, stack, time, inside));
    };
    const Formula scale = [this, model](const Stack* stack, double time, double inside) {
      return motion_of(property(model, kScaling, stack, time, inside));
    };

    if (item.needs_frame) {
      // The frame stands where the node stands and turns as it turns; what inherits by matrices hangs below
      // the scaled node in it, what does not, in the frame.
      std::vector<const Object*> of_place;
      if (item.is_special) {
        of_place = items_.at(item.parent).inherited;
        of_place.push_back(item.parent);
      }
      std::vector<const Object*> scales = item.inherited;
      scales.push_back(model);
      made.frame = add_node(name + " (frame)", item.is_special ? of_parent.frame : of_parent.full);
      made.full = add_node(name, made.frame);
      std::vector<std::pair<const Object*, std::string_view>> place_of_frame = {
          {model, kTranslation}, {model, kRotation}, {model, kScaling}};
      for (const Object* m : of_place) place_of_frame.push_back({m, kScaling});
      drive(
          made.frame, Path::translation,
          [this, model, of_place](const Stack* stack, double time, double inside) {
            return motion_of(
                product(scaling_of(of_place, stack, time, inside), place_of(model, stack, time, inside)));
          },
          place_of_frame);
      drive(made.frame, Path::rotation, turn, {{model, kRotation}});
      std::vector<std::pair<const Object*, std::string_view>> all_scales;
      for (const Object* m : scales) all_scales.push_back({m, kScaling});
      drive(
          made.full, Path::scale,
          [this, scales](const Stack* stack, double time, double inside) {
            return motion_of(scaling_of(scales, stack, time, inside));
          },
          all_scales);
    } else if ((t.to_scaling == Vec3d(0.0) && t.from_scaling == Vec3d(0.0)) || !(item.turns || item.scales)) {
      made.full = add_node(name, of_parent.full);
      drive(made.full, Path::translation, place, {{model, kTranslation}});
      drive(made.full, Path::rotation, turn, {{model, kRotation}});
      drive(made.full, Path::scale, scale, {{model, kScaling}});
    } else {
      const int turning = add_node(name + " (pivot)", of_parent.full);
      const int scaling = add_node(name + " (scaling pivot)", turning);
      made.full = add_node(name, scaling);
      drive(turning, Path::translation,
            [this, model, &item](const Stack* stack, double time, double inside) {
              Moving at = property(model, kTranslation, stack, time, inside);
              at.value += item.transform.offset;
              return motion_of(at);
            },
            {{model, kTranslation}});
      drive(turning, Path::rotation, turn, {{model, kRotation}});
      skeleton_.nodes[static_cast<std::size_t>(scaling)].translation = t.to_scaling;
      drive(scaling, Path::scale, scale, {{model, kScaling}});
      skeleton_.nodes[static_cast<std::size_t>(made.full)].translation = t.from_scaling;
    }
    instance[model] = made;
  }
}

Moving SkeletonBuilder::property(const Object* model, std::string_view name, const Stack* stack, double time,
                                 double inside) const {
  if (stack != nullptr)
    if (const Layers* layers = stack->find(model, name))
      return blended(*layers, name == kScaling, time, inside);
  const Transform& t = items_.at(model).transform;
  return {name == kTranslation ? t.translation : t.scaling, Vec3d(0.0)};
}

Motion SkeletonBuilder::turn_of_node(const Object* model, const Stack* stack, double time,
                                     double inside) const {
  const Transform& t = items_.at(model).transform;
  if (stack != nullptr)
    if (const Layers* layers = stack->find(model, kRotation))
      return blended_turn(*layers, t.order, time, inside);
  return euler_turn(t.order, {t.rotation, Vec3d(0.0)});
}

Moving SkeletonBuilder::scaling_of(const std::vector<const Object*>& models, const Stack* stack, double time,
                                   double inside) const {
  Moving result{Vec3d(1.0), Vec3d(0.0)};
  for (const Object* m : models) result = product(result, property(m, kScaling, stack, time, inside));
  return result;
}

// Where the node's origin stands in its parent: its translation, and what pivots add to it.
Moving SkeletonBuilder::place_of(const Object* model, const Stack* stack, double time, double inside) const {
  const Transform& t = items_.at(model).transform;
  Moving at = property(model, kTranslation, stack, time, inside);
  at.value += t.offset;
  if (t.to_scaling == Vec3d(0.0) && t.from_scaling == Vec3d(0.0)) return at;
  Moving arm = product(property(model, kScaling, stack, time, inside), {t.from_scaling, Vec3d(0.0)});
  arm.value += t.to_scaling;
  const Moving rest = turned(rotation_of(t, turn_of_node(model, stack, time, inside)), arm);
  return {at.value + rest.value, at.rate + rest.rate};
}

std::vector<Clip> SkeletonBuilder::clips() {
  std::vector<Clip> clips;
  for (const Stack& stack : stacks_) {
    Clip& clip = clips.emplace_back();
    clip.name = stack.name;
    for (const Drive& drive : drives_) {
      std::vector<const Layers*> moved;
      for (const auto& [model, name] : drive.depends_on)
        if (const Layers* layers = stack.find(model, name)) moved.push_back(layers);
      if (moved.empty()) continue;
      const std::vector<double> times = stack.breakpoints(moved);
      const auto motion = [&](double time, double inside) { return drive.formula(&stack, time, inside); };
      const bool is_rotation = drive.path == Path::rotation;
      double size = 1;
      if (!is_rotation) {
        size = 0;
        for (const double time : times)
          for (const double x : motion(time, time).value) size = std::max(size, std::abs(x));
      }
      Track track = resample(motion, is_rotation ? 4 : 3, is_rotation, times, kClose * size);
      const std::string& name = skeleton_.nodes[static_cast<std::size_t>(drive.node)].name;
      if (!track.is_close)
        warn(warnings_, "clip " + shown(clip.name) + " node " + shown(name),
             "moves faster between two keys than a thousand keys can follow");
      if (!std::all_of(track.values.begin(), track.values.end(), [](double x) { return std::isfinite(x); }))
        throw InputError("", "clip " + shown(clip.name) + " node " + shown(name),
                         "moves to where no number reaches");
      clip.duration = std::max(clip.duration, track.times.back());
      clip.channels.push_back(
          {drive.node, drive.path, track.interpolation, std::move(track.times), std::move(track.values)});
    }
  }
  return clips;
}

}  // namespace skinlight::fbx
