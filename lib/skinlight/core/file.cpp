#include "skinlight/core/file.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "skinlight/core/detail/system_reason.h"
#include "skinlight/core/error.h"
#include "skinlight/core/npy.h"
#include "skinlight/core/output_file.h"

namespace skinlight {

static_assert(std::endian::native == std::endian::little,
              ".npy and glTF are written in the machine's byte order");

namespace fs = std::filesystem;

void write_file(const fs::path& path, std::string_view bytes) {
  OutputFile file(path, WhenBusy::wait);
  file.fill(bytes);
  file.commit();
}

std::string read_file(const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(path, failed))
    throw InputError(path.string(), "", failed ? "cannot be read: " + failed.message() : "no such file");
  if (fs::is_directory(path, failed)) throw InputError(path.string(), "", "is a folder, not a file");
  const auto size = fs::file_size(path, failed);  // how much a pipe holds only its end tells
  std::string text;
  if (!failed) text.reserve(size);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) throw InputError(path.string(), "", "cannot be read: " + system_reason());
  std::array<char, 1 << 16> block;
  while (in.read(block.data(), block.size()), in.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw InputError(path.string(), "", "cannot be read: " + system_reason());
  return text;
}

void write_npy(const fs::path& path, std::span<const Vec3f> rows) {
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows.size()) + ", 3), }";
  const std::size_t preamble = 10, alignment = 64;
  header.append(alignment - (preamble + header.size() + 1) % alignment, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Vec3f));
  write_file(path, bytes);
}

std::vector<Vec3f> read_npy(const fs::path& path) {
  const NpyArray array = read_npy_array(path);
  if (array.type != "<f4" || array.shape.size() != 2 || array.shape[1] != 3)
    throw InputError(path.string(), "header",
                     "expected float32 rows of 3, found " + array.type + " of shape " + array.shape_text());
  std::vector<Vec3f> rows;
  rows.reserve(array.shape[0]);
  for (std::size_t i = 0; i < array.values.size(); i += 3)
    rows.emplace_back(Vec3d(array.values[i], array.values[i + 1], array.values[i + 2]));
  return rows;
}

}  // namespace skinlight
