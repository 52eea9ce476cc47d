#include "skinlight/asset/fbx/detail/fbx_clips.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "skinlight/asset/detail/reading.h"

namespace skinlight::fbx {

namespace {

constexpr std::array<std::string_view, 4> kRead = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling",
                                                   "DeformPercent"};
// Part of a node's transform as well, but nobody moves them.
constexpr std::array<std::string_view, 6> kNotRead = {"RotationOffset", "RotationPivot", "PreRotation",
                                                      "PostRotation",   "ScalingOffset", "ScalingPivot"};

// FBX 2019 and later say which ticks they count in; before, and where the definition is 127, they are these.
double ticks_per_second(const Document& document) {
  constexpr double kLegacy = 46186158000.0, kStandard = 141120000.0;
  constexpr std::int64_t kLegacyDefinition = 127;
  const Element* header = document.root().child("FBXHeaderExtension");
  const Element* flags = header == nullptr ? nullptr : header->child("OtherFlags");
  const Element* definition = flags == nullptr ? nullptr : flags->child("TCDefinition");
  return definition == nullptr || integer(*definition, 0) == kLegacyDefinition ? kLegacy : kStandard;
}

struct Range {
  std::int64_t start, stop;
};

std::optional<Range> range_of(const Object& stack, const Document& document) {
  const Range own{stack.properties.integer("LocalStart", 0), stack.properties.integer("LocalStop", 0)};
  if (own.stop > own.start) return own;
  if (const Element* takes = document.root().child("Takes"))
    for (const Element& take : takes->children)
      if (take.name == "Take" && text(take, 0) == stack.name)
        if (const Element* time = take.child("LocalTime");
            time != nullptr && integer(*time, 1) > integer(*time, 0))
          return Range{integer(*time, 0), integer(*time, 1)};
  return std::nullopt;
}

// One curve node of a stack: the property of an object that it moves, and its curves by axis.
struct Moved {
  const Object* object;
  std::string_view property;
  const Object *node, *layer;
};

class StackReader {
 public:
  StackReader(const Document& document, std::vector<Warning>& warnings)
      : document_(document), warnings_(warnings), is_text_(document.is_text()) {}

  Stack read(const Object& object) {
    Stack stack;
    stack.name = object.name;
    const std::vector<Moved> moved = moved_by(object);
    Clock clock;
    clock.ticks_per_second = ticks_per_second(document_);
    if (const std::optional<Range> range = range_of(object, document_)) {
      clock.start = range->start;
      stack.has_range = true;
      stack.stop = clock.seconds(range->stop);
    } else {
      clock.start = first_key(moved);
    }
    for (const Moved& m : moved) {
      Animated animated;
      bool has_curves = false;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::string name = axis_name(m, axis);
        animated.otherwise[static_cast<int>(axis)] = m.node->properties.real(name, 0, m.node->label());
        for (const Link& link : document_.children_of(m.node->id))
          if (link.object->kind == "AnimationCurve" && link.property == name) {
            auto curve = std::make_unique<const Curve>(*link.object, clock, is_text_, warnings_);
            if (curve->times().empty()) continue;
            animated.curve[axis] = curve.get();
            stack.curves.push_back(std::move(curve));
            has_curves = true;
          }
      }
      if (has_curves) stack.properties[{m.object, m.property}].push_back({animated, blending_of(*m.layer)});
    }
    return stack;
  }

 private:
  static std::string axis_name(const Moved& moved, std::size_t axis) {
    if (moved.property == "DeformPercent") return axis == 0 ? "d|DeformPercent" : "";
    return std::string("d|") + "XYZ"[axis];
  }

  Blending blending_of(const Object& layer) {
    const Properties& properties = layer.properties;
    if (!document_.children(layer, "AnimationCurveNode").empty() && is_weight_moved(layer))
      warn(warnings_, layer.label(), "has keys for its weight; they were left out");
    const std::int64_t mode = properties.integer("BlendMode", 0);
    return {mode == 1   ? BlendMode::override_
            : mode == 2 ? BlendMode::override_passthrough
                        : BlendMode::additive,
            properties.real("Weight", 100, layer.label()) / 100,
            properties.integer("RotationAccumulationMode", 0) == 1,
            properties.integer("ScaleAccumulationMode", 0) == 1};
  }

  bool is_weight_moved(const Object& layer) const {
    for (const Link& link : document_.children_of(layer.id))
      if (link.property == "Weight") return true;
    return false;
  }

  std::vector<Moved> moved_by(const Object& stack) {
    std::vector<Moved> all;
    for (const Object* layer : document_.children(stack, "AnimationLayer")) {
      if (layer->properties.integer("Mute", 0) != 0) continue;
      for (const Object* node : document_.children(*layer, "AnimationCurveNode"))
        for (const Link& link : document_.parents_of(node->id)) {
          if (std::find(kNotRead.begin(), kNotRead.end(), link.property) != kNotRead.end() &&
              has_curves(*node))
            warn(warnings_, link.object->label(),
                 "has keys for " + std::string(link.property) + "; they were left out");
          if (std::find(kRead.begin(), kRead.end(), link.property) == kRead.end() || !has_curves(*node))
            continue;
          all.push_back({link.object, link.property, node, layer});
        }
    }
    return all;
  }

  bool has_curves(const Object& node) const { return !document_.children(node, "AnimationCurve").empty(); }

  std::int64_t first_key(const std::vector<Moved>& moved) const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const Moved& m : moved)
      for (const Object* curve : document_.children(*m.node, "AnimationCurve"))
        for (const std::int64_t ticks : integers(*curve->element, "KeyTime", curve->label()))
          first = std::min(first, ticks);
    return first == std::numeric_limits<std::int64_t>::max() ? 0 : first;
  }

  const Document& document_;
  std::vector<Warning>& warnings_;
  bool is_text_;
};

}  // namespace

const Layers* Stack::find(const Object* object, std::string_view property) const {
  const auto found = properties.find({object, property});
  return found == properties.end() ? nullptr : &found->second;
}

std::vector<double> Stack::breakpoints(const std::vector<const Layers*>& of) const {
  std::vector<double> times;
  for (const Layers* layers : of)
    for (const Layer& layer : *layers)
      for (const Curve* curve : layer.animated.curve)
        if (curve != nullptr) times.insert(times.end(), curve->times().begin(), curve->times().end());
  if (has_range)
    for (double& time : times) time = std::clamp(time, 0.0, stop);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::vector<Stack> read_stacks(const Document& document, std::vector<Warning>& warnings) {
  std::vector<Stack> stacks;
  for (const Object& object : document.objects())
    if (object.kind == "AnimationStack") stacks.push_back(StackReader(document, warnings).read(object));
  return stacks;
}

}  // namespace skinlight::fbx
