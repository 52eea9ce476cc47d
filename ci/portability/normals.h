// The file of normals that results.cpp writes and judge.cpp reads: three floats, low byte first, for each regime, case
// and subject, in these orders.
#pragma once

#include <algorithm>
#include <vector>

#include "skinlight/stability/subjects.h"

// All but rivals, which are somebody else's arithmetic.
inline std::vector<skinlight::stability::Subject> portable_subjects() {
  std::vector<skinlight::stability::Subject> chosen;
  for (const skinlight::stability::Subject& s : skinlight::stability::subjects())
    if (!s.rival) chosen.push_back(s);
  return chosen;
}
