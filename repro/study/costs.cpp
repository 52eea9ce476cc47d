#include "repro/study/costs.h"

#include <stdexcept>

#include "skinlight/core/counted.h"
#include "skinlight/skinning/kernels.h"
#include "skinlight/skinning/packed_normals.h"

namespace skinlight::repro {

namespace {

template <int N>
long counted(NormalMode mode) {
  using K = Kernels<Counted, N>;
  const typename K::Influences x{};
  const typename K::RestVertex rest{};
  const typename K::DeformFactors f{};
  Counted::reset();
  switch (mode) {
    case NormalMode::standard:
      K().lbs_standard(x, rest);
      break;
    case NormalMode::deform:
      K().lbs_deform(x, f, rest);
      break;
    case NormalMode::smoothed:
      K().lbs_smoothed(x, f, typename K::SmoothWeights{}, rest);
      break;
    case NormalMode::deform_vectors:
      K().lbs_deform_vectors(x, typename K::DeformVectors{}, rest);
      break;
    default:
      throw std::logic_error("no cost is counted for " + std::string(row(mode).name));
  }
  return Counted::operations();
}

}  // namespace

long operations(NormalMode mode, int slots) {
  switch (slots) {
    case 1:
      return counted<1>(mode);
    case 2:
      return counted<2>(mode);
    case 3:
      return counted<3>(mode);
    case 4:
      return counted<4>(mode);
    case 6:
      return counted<6>(mode);
    case 8:
      return counted<8>(mode);
    default:
      throw std::logic_error("no kernel of " + std::to_string(slots) + " slots is counted");
  }
}

int bytes(NormalMode mode, int slots, NumberFormat format) {
  if (mode == NormalMode::standard) return 0;
  for (const RecordKindRow& record : kRecordKinds)
    if (mode_reading(record.kind) == mode) return normal_record_bytes(record.kind, slots, format);
  throw std::logic_error("no record is known for " + std::string(row(mode).name));
}

}  // namespace skinlight::repro
