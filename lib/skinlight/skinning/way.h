// Ways to skin, a method with normals and perhaps a guard each: what they are called, and what they do not do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skinlight/rig/model.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

// As command lines and outputs call its normals: the mode, with "+" and the guard where it has one.
std::string way_name(const SkinOptions& way);

// What is compared where nobody says: so many frames of a clip, and standard normals, those that deform factors give, also
// with the guard, and those for coarse meshes, as far as the method has them.
inline constexpr int kUsualFrames = 24;
std::vector<SkinOptions> usual_ways(Method method, Guard guard = kRecommendedGuard.guard);

// Why no guard acts on these normals, or "" where guards do. skin() computes the same with a guard as without one there;
// whoever asks for one is told. Throws InputError when the method lacks the mode.
std::string why_unguarded(Method method, NormalMode mode);

// What to tell of a way whose normals know the rest shape's faces only, when the model has morph targets that change them.
std::optional<Warning> morph_warning(const Model& model, const SkinOptions& way);

}  // namespace skinlight
