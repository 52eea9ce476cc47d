// What all readers of rigs are told.
#pragma once

#include "skinlight/asset/raw_attributes.h"

namespace skinlight {

struct ReadOptions {
  int max_influences = 4;        // per vertex; the strongest are kept and renormalised, the loss is a warning
  RawAttributes* raw = nullptr;  // receives what the file says before all repairs, when given
};

}  // namespace skinlight
