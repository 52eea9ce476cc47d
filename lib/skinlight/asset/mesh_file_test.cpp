#include "skinlight/asset/mesh_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/file.h"

namespace skinlight {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class MeshFile : public testing::Test {
 protected:
  MeshFile() : folder_(fs::temp_directory_path() / ("skinlight_mesh_file_" + std::to_string(::getpid()))) {}
  ~MeshFile() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path write(const std::string& name, const std::string& text) const {
    write_file(folder_ / name, text);
    return folder_ / name;
  }
  void expect_error(const std::string& name, const std::string& text, const std::string& reason) const {
    const fs::path path = write(name, text);
    try {
      read_mesh(path);
      ADD_FAILURE() << name << " was accepted, expected: " << reason;
    } catch (const InputError& e) {
      EXPECT_EQ(e.file(), path.string());
      EXPECT_THAT(e.reason(), HasSubstr(reason));
    }
  }
  fs::path folder_;
};

const std::string kPly =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
    "float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

TEST_F(MeshFile, ObjIsReadAndPolygonsBecomeTriangles) {
  const PlainMesh mesh = read_mesh(write("a.OBJ", "v 0 0 0\nv 1.1 0 0\nv 1 1 0\nv 0 1 .25\nf 1 2 3 4\n"));
  ASSERT_EQ(mesh.p.size(), 4u);
  EXPECT_EQ(mesh.p[1], Vec3d(Vec3f(1.1F, 0, 0)));
  EXPECT_EQ(mesh.p[3].z, .25);
  EXPECT_EQ(mesh.faces.size(), 2u);
  EXPECT_TRUE(mesh.n.empty());
}

TEST_F(MeshFile, NormalsOfTheFileAreMadeUnit) {
  const PlainMesh mesh = read_mesh(write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 3\nf 1//1 2//1 3//1\n"));
  EXPECT_THAT(mesh.faces, ElementsAre(Face{0, 1, 2}));
  ASSERT_EQ(mesh.n.size(), 3u);
  for (const Vec3d& n : mesh.n) EXPECT_EQ(n, Vec3d(0, 0, 1));
}

TEST_F(MeshFile, PlyIsRead) {
  const PlainMesh mesh = read_mesh(write("a.ply", kPly + "0 0 0\n1 0 0\n0 1 .5\n3 0 1 2\n"));
  EXPECT_EQ(mesh.p[2], Vec3d(0, 1, .5));
  EXPECT_THAT(mesh.faces, ElementsAre(Face{0, 1, 2}));
}

TEST_F(MeshFile, WhatIsWrongIsNamed) {
  expect_error("a.stl", "solid", "of no known format");
  expect_error("a.ply", "hello", "does not start with \"ply\"");
  expect_error("a.ply", "", "does not start with \"ply\"");
  expect_error("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\ncomment end_header\n", "has no end");
  expect_error("a.ply", "ply\nformat ascii 1.0\nend_header\n", "");
  expect_error("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "has no faces");
  expect_error("a.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n", "");
  EXPECT_THROW(read_mesh(folder_ / "missing.obj"), InputError);
}

// Counts and indices that lie: an error or a mesh whose faces name its vertices.
TEST_F(MeshFile, LyingFilesNeverCrash) {
  std::string many = kPly;
  many.replace(many.find("vertex 3"), 8, "vertex 4000000000");
  for (const auto& [name, text] :
       {std::pair<std::string, std::string>{"a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 900000\n"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nf -1 -2 -900\n"},
        {"a.ply", kPly + "0 0 0\n1 0 0\n0 1 .5\n3 0 1 900000\n"},
        {"a.ply", many + "0 0 0\n"}}) {
    try {
      const PlainMesh mesh = read_mesh(write(name, text));
      for (const Face& f : mesh.faces)
        for (const int corner : f) EXPECT_LT(static_cast<std::size_t>(corner), mesh.p.size());
    } catch (const InputError& e) {
      EXPECT_FALSE(e.reason().empty());
    }
  }
}

}  // namespace
}  // namespace skinlight
