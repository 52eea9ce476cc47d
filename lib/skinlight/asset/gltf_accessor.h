// Accessors: typed arrays inside the file's buffers.
#pragma once

#include <tiny_gltf.h>

#include <cstddef>
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
};

class Accessors {
 public:
  // `file` must outlive this.
  explicit Accessors(const tinygltf::Model& file);

  // Decodes an accessor: byte strides, normalised integers, sparse entries, zeros where there is no buffer
  // view. Throws InputError naming `element`: references, offsets or counts outside the file, another format
  // than expected.
  Table read(int accessor, const Format& format, const std::string& element);

 private:
  const unsigned char* bytes(int view, std::size_t offset, std::size_t stride, std::size_t size,
                             std::size_t count, const std::string& element) const;
  void overwrite_sparse(const tinygltf::Accessor& accessor, Table& table, const std::string& element) const;

  const tinygltf::Model& file_;
  std::size_t budget_;  // numbers that may still be decoded
};

}  // namespace skinlight::gltf
