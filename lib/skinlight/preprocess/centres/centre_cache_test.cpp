#include "skinlight/preprocess/centres/centre_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <set>

#include "skinlight/core/file.h"
#include "skinlight/core/sha256.h"
#include "skinlight/samples/procedural.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same(const RotationCentres& a, const RotationCentres& b) {
  EXPECT_TRUE(same_bytes(a.centre, b.centre));
  EXPECT_TRUE(same_bytes(a.along_t, b.along_t));
  EXPECT_TRUE(same_bytes(a.along_b, b.along_b));
  EXPECT_TRUE(same_bytes(a.has_centre, b.has_centre));
  EXPECT_EQ(a.single_bone, b.single_bone);
  EXPECT_EQ(a.limits, b.limits);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.without_centre, b.without_centre);
}

class CentreCache : public testing::Test {
 protected:
  CentreCache() { fs::remove_all(folder_); }
  ~CentreCache() override { fs::remove_all(folder_); }

  // The reason why the bytes cannot be used.
  std::string refused(const std::string& bytes) const {
    write_file(path_, bytes);
    try {
      read_centres(path_, key_);
      return "nothing wrong";
    } catch (const InputError& e) {
      EXPECT_EQ(e.file(), path_.string());
      return e.reason();
    }
  }

  // Each test its own: they run at the same time.
  const fs::path folder_ =
      fs::path(testing::TempDir()) / (std::string("skinlight_centre_cache_") +
                                      testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path path_ = folder_ / "rig.centres";
  const RiggedMesh mesh_ = cylinder({}, {.segments = 10}).mesh;
  const Surface surface_{mesh_.faces, weld(mesh_)};
  const std::string key_ = centres_key(mesh_, surface_, {});
  const RotationCentres centres_ = rotation_centres(mesh_, surface_);
};

TEST_F(CentreCache, GivesBackWhatWasWritten) {
  write_centres(path_, centres_, key_);
  expect_same(read_centres(path_, key_), centres_);
  write_centres(path_, {}, key_);
  expect_same(read_centres(path_, key_), {});
}

// So that files travel: the first vertex's x as the eight bytes of a little-endian double.
TEST_F(CentreCache, NumbersAreLittleEndian) {
  RotationCentres one;
  one.centre = {Vec3d(-2, 0, 0)};
  one.along_t = one.along_b = {Vec3d(0.0)};
  one.has_centre = {1};
  one.triangles = 0x01020304;
  write_centres(path_, one, key_);
  const std::string bytes = read_file(path_);
  EXPECT_EQ(bytes.substr(8, 8), std::string("\1\0\0\0\1\0\0\0", 8));
  EXPECT_EQ(bytes.substr(16, 64), key_);
  EXPECT_EQ(bytes.substr(16 + 64 + 8, 4), "\4\3\2\1");
  EXPECT_EQ(bytes.substr(16 + 64 + 16, 8), std::string("\0\0\0\0\0\0\0\xc0", 8));
}

TEST_F(CentreCache, KeyChangesWithEverythingThatDecidesTheCentres) {
  std::set<std::string> keys = {key_};
  std::size_t count = 1;
  const auto expect_new = [&](const RiggedMesh& mesh, const std::vector<int>& welding,
                              const CentreOptions& options) {
    keys.insert(centres_key(mesh, Surface(mesh.faces, welding), options));
    EXPECT_EQ(keys.size(), ++count);
  };
  const std::vector<std::function<void(RiggedMesh&)>> changes = {
      [](RiggedMesh& m) { m.p0[7].y += 1e-15; },
      [](RiggedMesh& m) { m.t0[3].x += 1e-15; },
      [](RiggedMesh& m) { m.b0[3].x += 1e-15; },
      [](RiggedMesh& m) { m.weight[0] -= 1e-15; },
      [](RiggedMesh& m) { m.bone[1] = 1 - m.bone[1]; },
      [](RiggedMesh& m) { std::swap(m.faces[0], m.faces[1]); },
      [](RiggedMesh& m) { m.slots = 1; }};
  for (const auto& change : changes) {
    RiggedMesh mesh = mesh_;
    change(mesh);
    expect_new(mesh, weld(mesh_), {});
  }
  std::vector<int> split = weld(mesh_);
  for (std::size_t v = 0; v < split.size(); ++v) split[v] = static_cast<int>(v);
  expect_new(mesh_, split, {});
  for (const CentreOptions& options :
       {CentreOptions{.method = CentreMethod::naive}, CentreOptions{.sigma = .2},
        CentreOptions{.cutoff = 1e-5}, CentreOptions{.omega = .2}, CentreOptions{.subdivide_above = .1},
        CentreOptions{.averaging = Averaging::area}})
    expect_new(mesh_, weld(mesh_), options);
  EXPECT_EQ(centres_key(mesh_, surface_, {.threads = 3, .progress = [](double) {}}), key_);
}

TEST_F(CentreCache, FilesThatCannotBeUsedAreNamedWithTheReason) {
  EXPECT_THROW(read_centres(path_, key_), InputError);  // missing
  write_centres(path_, centres_, key_);
  const std::string good = read_file(path_);
  EXPECT_EQ(refused(good), "nothing wrong");
  EXPECT_THAT(refused(""), HasSubstr("no file of rotation centres"));
  EXPECT_THAT(refused("glTF" + good.substr(4)), HasSubstr("no file of rotation centres"));
  EXPECT_THAT(refused(good.substr(0, 60)), HasSubstr("truncated"));
  std::string newer = good;
  newer[8] = 2;
  EXPECT_THAT(refused(newer), HasSubstr("version 2, expected 1"));
  EXPECT_THAT(refused(good.substr(0, good.size() - 1)), HasSubstr("bytes, expected"));
  EXPECT_THAT(refused(good + "x"), HasSubstr("bytes, expected"));
  std::string huge = good;  // a number of vertices that no memory holds
  huge.replace(12, 4, "\xff\xff\xff\xff");
  EXPECT_THAT(refused(huge), HasSubstr("bytes, expected"));
  write_centres(path_, centres_, centres_key(mesh_, surface_, {.sigma = .2}));
  EXPECT_THAT(refused(read_file(path_)), HasSubstr("stale"));
}

TEST_F(CentreCache, EveryChangedByteIsNoticed) {
  write_centres(path_, centres_, key_);
  const std::string good = read_file(path_);
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    std::string bad = good;
    const auto where = static_cast<std::size_t>(random.below(static_cast<int>(bad.size())));
    bad[where] = static_cast<char>(bad[where] ^ (1 << random.below(8)));
    EXPECT_NE(refused(bad), "nothing wrong") << "byte " << where;
  }
}

TEST_F(CentreCache, ComputesOnceAndReadsAfterwards) {
  int computed = 0;
  std::vector<Warning> warnings;
  const auto get = [&](const RiggedMesh& mesh) {
    return cached_rotation_centres(mesh, Surface(mesh.faces, weld(mesh)),
                                   {.progress = [&](double share) { computed += share == 1; }}, path_,
                                   warnings);
  };
  expect_same(get(mesh_), centres_);
  EXPECT_EQ(computed, 1);
  expect_same(get(mesh_), centres_);
  EXPECT_EQ(computed, 1);
  EXPECT_TRUE(warnings.empty());

  RiggedMesh moved = mesh_;
  for (Vec3d& p : moved.p0) p.x += 1;
  const RotationCentres other = get(moved);
  EXPECT_EQ(computed, 2);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].element, path_.string());
  EXPECT_THAT(warnings[0].reason, HasSubstr("stale"));
  expect_same(other, rotation_centres(moved, Surface(moved.faces, weld(moved))));
  expect_same(get(moved), other);  // written anew
  EXPECT_EQ(computed, 2);

  write_file(path_, read_file(path_).substr(0, 500));
  expect_same(get(moved), other);
  EXPECT_EQ(computed, 3);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[1].reason, HasSubstr("bytes, expected"));
}

TEST_F(CentreCache, APlaceThatCannotBeWrittenIsAWarning) {
  write_file(folder_ / "file", "");
  std::vector<Warning> warnings;
  expect_same(cached_rotation_centres(mesh_, surface_, {}, folder_ / "file" / "rig.centres", warnings),
              centres_);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].reason, HasSubstr("not kept"));
}

}  // namespace
}  // namespace skinlight
