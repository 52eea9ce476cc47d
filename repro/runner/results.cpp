#include <cmath>
#include <stdexcept>

#include "repro/experiment.h"

namespace skinlight::repro {

double Results::value(const std::string& wanted) const {
  const auto entry = values.find(wanted);
  if (entry == values.end()) throw std::logic_error("no value named " + wanted);
  return entry->second;
}

const NormalError& Results::error(const std::string& rig, const std::string& pose, const std::string& method,
                                  Truth truth) const {
  for (const Measurement& m : measurements)
    if (m.rig == rig && m.pose == pose && m.method == method && m.truth == name(truth)) return m.error;
  throw std::logic_error("no measurement of " + rig + ", " + pose + ", " + method + " against " +
                         std::string(name(truth)));
}

double Results::order(const std::string& family, const std::string& pose, const std::string& method,
                      Truth truth) const {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const Measurement& m : measurements) {
    if (m.family != family || m.pose != pose || m.method != method || m.truth != name(truth)) continue;
    const double x = std::log(m.resolution), y = std::log(m.error.rms);
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  if (n < 2) throw std::logic_error("no family of rigs '" + family + "' to fit an order to");
  return -(n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace skinlight::repro
