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

}  // namespace skinlight::repro
