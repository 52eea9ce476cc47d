#include "repro/dress.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "testing/real_models.h"

namespace skinlight::repro {
namespace {

class DressModels : public test_models::RealModels {};

// What the files say, read with Python's json: Formal has five materials without pictures, the fox and CesiumMan one with a
// picture, and MakeHuman's body and the hands none.
TEST_F(DressModels, ModelsWearTheColoursOfTheirFiles) {
  for (const auto& [name, colours, width] :
       {std::tuple("quaternius-formal", 5u, 0), std::tuple("fox", 1u, 1024),
        std::tuple("cesium-man", 1u, 1024), std::tuple("makehuman-body", 0u, 0)}) {
    const Dress dress = dress_of(model(name));
    std::set<std::tuple<float, float, float>> found;
    for (const Vec3f c : dress.colours.face) found.insert({c.x, c.y, c.z});
    EXPECT_EQ(found.size(), colours) << name;
    EXPECT_EQ(dress.picture.width, width) << name;
  }
}

TEST_F(DressModels, AnEditedMeshIsClay) {
  const Dress dress = dress_of(model("fox"));
  RiggedMesh mesh = load_model(model("fox")).mesh;
  EXPECT_EQ(dress.on(mesh).face.size(), mesh.faces.size());
  EXPECT_EQ(dress.on(mesh).picture, &dress.picture);
  mesh.faces.pop_back();
  EXPECT_TRUE(dress.on(mesh).face.empty());
}

}  // namespace
}  // namespace skinlight::repro
