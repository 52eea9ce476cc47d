#include <cmath>
#include <cstdio>
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

std::string metrics_csv(const std::vector<Measurement>& measurements) {
  std::string csv =
      "rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,p99_deg,max_deg,flips\n";
  for (const Measurement& m : measurements) {
    char numbers[160];
    std::snprintf(numbers, sizeof numbers, "%.9g,%.9g,%.9g,%.9g,%.9g,%d\n", m.error.mean, m.error.rms,
                  m.error.p95, m.error.p99, m.error.max, m.error.flips);
    const auto quoted = [](const std::string& text) {
      return text.find_first_of(",\"\n") == std::string::npos ? text : '"' + text + '"';
    };
    csv += quoted(m.rig) + ',' + quoted(m.family) + ',' + std::to_string(m.resolution) + ',' +
           std::to_string(m.vertices) + ',' + quoted(m.pose) + ',' + m.method + ',' + m.truth + ',' +
           quoted(m.error.weighting) + ',' + numbers;
  }
  return csv;
}

}  // namespace skinlight::repro
