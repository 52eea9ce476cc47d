// What a record says of its own slots.
#include "skinlight/preprocess/normal_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace skinlight {
namespace {

// Two vertices of two slots, all 0.
NormalRecord empty_record() {
  NormalRecord record;
  record.slots = 2;
  record.bone = {0, 1, 0, 1};
  record.weight = record.alpha = record.beta = record.smooth_weight = {0, 0, 0, 0};
  record.gradient = record.along_t = record.along_b = std::vector<Vec3d>(4, Vec3d(0.0));
  return record;
}

// A slot is used by its weight and by any number that its kind of record reads, and by no other.
TEST(NormalRecord, SlotsAreUnusedWhenNothingOfThemIsRead) {
  for (const RecordKindRow& kind : kRecordKinds) {
    NormalRecord record = empty_record();
    EXPECT_TRUE(is_unused(record, 3, kind.columns)) << kind.name;
    record.weight[3] = 1e-9;
    EXPECT_FALSE(is_unused(record, 3, kind.columns)) << kind.name;
    EXPECT_TRUE(is_unused(record, 2, kind.columns)) << kind.name;
    for (const Quantity quantity : columns::kAll)
      for (int c = 0; c < row(quantity).components(); ++c) {
        NormalRecord one = empty_record();
        visit_column(one, quantity, [&](auto& column) { component(column[3], c) = -1e-9; });
        EXPECT_EQ(number_of(one, quantity, 3, c), -1e-9);
        const bool read = std::find(kind.columns.begin(), kind.columns.end(), quantity) != kind.columns.end();
        EXPECT_EQ(is_unused(one, 3, kind.columns), !read) << kind.name << ' ' << static_cast<int>(quantity);
        EXPECT_TRUE(is_unused(one, 2, kind.columns));
      }
  }
}

}  // namespace
}  // namespace skinlight
