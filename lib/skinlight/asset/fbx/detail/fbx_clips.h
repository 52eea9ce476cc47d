// Animation stacks of an FBX file: which curve moves which property of which object.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_curve.h"
#include "skinlight/asset/fbx/detail/fbx_document.h"
#include "skinlight/asset/fbx/detail/fbx_layers.h"

namespace skinlight::fbx {

struct Stack {
  std::string name;
  bool has_range = false;  // keys outside of 0 .. stop are not played
  double stop = 0;         // seconds
  std::vector<std::unique_ptr<const Curve>> curves;
  // By object and property: "Lcl Translation", "Lcl Rotation", "Lcl Scaling", "DeformPercent".
  std::map<std::pair<const Object*, std::string_view>, Layers> properties;

  const Layers* find(const Object* object, std::string_view property) const;
  // The times of keys of some properties, once each, ascending, moved into the range.
  std::vector<double> breakpoints(const std::vector<const Layers*>& of) const;
};

// Time 0 of a stack is its LocalStart, as players of FBX show it. Throws InputError naming the curve.
std::vector<Stack> read_stacks(const Document& document, std::vector<Warning>& warnings);

}  // namespace skinlight::fbx
