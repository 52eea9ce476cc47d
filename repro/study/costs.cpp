#include "repro/study/costs.h"

#include <stdexcept>

#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/packed_normals.h"

namespace skinlight::repro {

long operations(NormalMode mode, int slots) { return kernel_operations(Method::lbs, mode, slots); }

int bytes(NormalMode mode, int slots, NumberFormat format) {
  if (mode == NormalMode::standard) return 0;
  for (const RecordKindRow& record : kRecordKinds)
    if (mode_reading(record.kind) == mode) return normal_record_bytes(record.kind, slots, format);
  throw std::logic_error("no record is known for " + std::string(row(mode).name));
}

int frame_bytes(int slots, bool centres, NumberFormat format) {
  constexpr int kFrames = 2, kVectors = 3 + 3, kAlphaAndBeta = 2, kCentre = 3;
  const int numbers = kFrames * (slots - 1 + kVectors + kAlphaAndBeta + (centres ? kCentre : 0));
  const int scales = format == NumberFormat::f32 ? 0 : centres ? 3 : 2;
  return numbers * row(format).bytes + scales * row(NumberFormat::f32).bytes;
}

}  // namespace skinlight::repro
