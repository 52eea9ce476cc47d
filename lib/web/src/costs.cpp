// What every pair of a method and a normal mode costs a vertex of four slots, as JSON: run with node when the lab is built.
#include <cstdio>
#include <string>

#include "skinlight/preprocess/normal_record.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/packed_normals.h"

using namespace skinlight;

namespace {

constexpr int kSlots = 4;

// Bytes per number format of the record that a mode reads; {} for modes that read none which is baked.
std::string bytes_of(NormalMode mode) {
  std::string bytes;
  for (const RecordKindRow& record : kRecordKinds) {
    if (mode_reading(record.kind) != mode) continue;
    for (const NumberFormatRow& format : kNumberFormats)
      bytes += (bytes.empty() ? "\"" : ", \"") + std::string(format.name) +
               "\": " + std::to_string(normal_record_bytes(record.kind, kSlots, format.format));
  }
  return "{" + bytes + "}";
}

}  // namespace

int main() {
  std::string json;
  for (const KernelRow& kernel : kernel_rows())
    json += (json.empty() ? "\n \"" : ",\n \"") + std::string(row(kernel.method).name) + " " +
            std::string(row(kernel.mode).name) +
            "\": {\"operations\": " + std::to_string(kernel_operations(kernel.method, kernel.mode, kSlots)) +
            ", \"bytes\": " + bytes_of(kernel.mode) + "}";
  std::printf("{%s\n}\n", json.c_str());
}
