// Accessors: typed arrays inside the file's buffers.
#pragma once

#include <tiny_gltf.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace skinlight::gltf {

// #rows by #columns.
struct Table {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
  std::span<const double> row(std::size_t i) const { return {values.data() + i * columns, columns}; }
};

// What an accessor may hold in one place of a file: TINYGLTF_TYPE_* and TINYGLTF_COMPONENT_TYPE_*.
struct Format {
  std::vector<int> types;
  std::vector<int> component_types;
  bool counts = false;  // indices and joints: whole numbers, never normalised
};

// Vertices, quantised (KHR_mesh_quantization) or not. A constant, since other constants are made of it.
inline constexpr std::initializer_list<int> kVertexComponents = {
    TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
    TINYGLTF_COMPONENT_TYPE_SHORT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT};
inline const Format kVec3 = {{TINYGLTF_TYPE_VEC3}, kVertexComponents};

// Everything that vertices and indices may be.
inline const Format kVertexData = {
    {TINYGLTF_TYPE_SCALAR, TINYGLTF_TYPE_VEC2, TINYGLTF_TYPE_VEC3, TINYGLTF_TYPE_VEC4},
    {TINYGLTF_COMPONENT_TYPE_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_SHORT,
     TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
     TINYGLTF_COMPONENT_TYPE_FLOAT}};

// "mesh 0 primitive 1" + "vertex" + 2.
std::string numbered(const std::string& element, const char* kind, std::size_t index);

// Bytes per number, and numbers per element of the types that accessors may have here.
std::size_t component_size(int component_type);
std::size_t component_count(int type);

// One number of an accessor's bytes; normalised integers as the format defines them (the most negative signed one is -1 too).
double component_value(const unsigned char* from, int component_type, bool normalized);

// As a number of vertices that is not known yet.
inline constexpr std::size_t kAnyCount = static_cast<std::size_t>(-1);

// How many numbers may be read from a file with buffers of `bytes`, and of as many that were `decoded` from those: bounds
// memory by the file's size, whatever counts it states and however well it is compressed.
std::uint64_t number_budget(std::uint64_t bytes, std::uint64_t decoded);

class Accessors {
 public:
  // `file` must outlive this.
  explicit Accessors(const tinygltf::Model& file);

  // Decodes an accessor: byte strides, normalised integers, sparse entries, zeros where there is no buffer
  // view. Throws InputError naming `element`: references, offsets or counts outside the file, another format
  // than expected.
  Table read(int accessor, const Format& format, const std::string& element);

  // The same with `vertices` rows, unless that is kAnyCount.
  Table read_rows(int accessor, const Format& format, std::size_t vertices, const std::string& element);

  // The same with all numbers finite; throws InputError naming the vertex that is not.
  Table read_vertices(int accessor, const Format& format, std::size_t vertices, const std::string& element);

  // Counts numbers that something decoded will hold. Throws InputError when they are more than a file of this
  // size can hold.
  void charge(std::size_t rows, std::size_t columns, const std::string& element);

 private:
  const unsigned char* bytes(int view, std::size_t offset, std::size_t stride, std::size_t size,
                             std::size_t count, const std::string& element) const;
  void overwrite_sparse(const tinygltf::Accessor& accessor, Table& table, const std::string& element) const;

  const tinygltf::Model& file_;
  std::uint64_t budget_;  // numbers that may still be decoded
};

}  // namespace skinlight::gltf
