// Characters that Draco compresses are written back uncompressed: what a reader of the result gets is what it gets of the
// compressed file, and the record of the uncompressed twin.
#include <gtest/gtest.h>

#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/bake/bake.h"
#include "skinlight/core/file.h"
#include "testing/gltf_draco.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::Folder;
using gltf_test::Json;
using gltf_test::strip;

TEST(BakeDraco, WritesTheDecodedCharacterUncompressed) {
  const Folder folder("bake_draco");
  const std::string bytes = strip().glb();
  const fs::path plain = folder.write("plain.glb", bytes);
  for (const bool exact : {true, false})
    for (const std::string out_name : {"out.glb", "out.gltf", "out.vrm"}) {
      SCOPED_TRACE(out_name);
      const fs::path in = folder.write(
          "in.glb", gltf_test::with_draco(gltf_test::take_apart(bytes), bytes, exact, exact ? 0 : 14).glb());
      const fs::path out = folder.write("gone", "").replace_filename(out_name);
      const BakeReport report = bake_gltf(in, out, {.force = true});
      EXPECT_EQ(gltf_test::count_of(report.warnings, "written back uncompressed"), 1);
      const std::string result = read_file(out);
      EXPECT_EQ(result.find(gltf::kDraco), std::string::npos);
      const Model compressed = read_gltf(in), baked = read_gltf(out);
      EXPECT_EQ(baked.mesh.p0, compressed.mesh.p0);
      EXPECT_EQ(baked.mesh.faces, compressed.mesh.faces);
      EXPECT_EQ(baked.mesh.bone, compressed.mesh.bone);
      EXPECT_EQ(baked.mesh.weight, compressed.mesh.weight);
      EXPECT_EQ(baked.mesh.uv, compressed.mesh.uv);
      ASSERT_EQ(baked.clips.size(), compressed.clips.size());
      // Baked again it is as it is: nothing depends on what the file was.
      EXPECT_TRUE(bake_gltf(out,
                            folder.write("gone", "").replace_filename("again" + out.extension().string()),
                            {.force = true})
                      .unchanged);
    }
  // Exactly coded, the vertices are those of the twin, and so is all that is computed from them.
  const fs::path in =
      folder.write("in.glb", gltf_test::with_draco(gltf_test::take_apart(bytes), bytes, true, 0).glb());
  const BakeReport a = bake_gltf(in, folder.write("gone", "").replace_filename("a.glb"), {.force = true}),
                   b = bake_gltf(plain, folder.write("gone", "").replace_filename("b.glb"), {.force = true});
  EXPECT_EQ(a.record().alpha, b.record().alpha);
  EXPECT_EQ(a.record().beta, b.record().beta);
}

}  // namespace
}  // namespace skinlight
