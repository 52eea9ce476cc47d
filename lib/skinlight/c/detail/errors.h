// Statistics of angles, as skinlight.h has them.
#pragma once

#include "skinlight/c/skinlight.h"
#include "skinlight/truth/angular_error.h"

namespace skinlight::c {

skinlight_errors errors_of(const NormalError& error);

}  // namespace skinlight::c
