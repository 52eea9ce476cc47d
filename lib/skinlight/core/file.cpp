#include "skinlight/core/file.h"

#include <bit>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <regex>
#include <sstream>
#include <system_error>

#include "skinlight/core/error.h"

namespace skinlight {

static_assert(std::endian::native == std::endian::little,
              ".npy and glTF are written in the machine's byte order");

namespace fs = std::filesystem;

namespace {

std::string system_reason() { return std::generic_category().message(errno); }

}  // namespace

void write_file(const fs::path& path, std::string_view bytes) {
  std::error_code failed;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
  if (failed)
    throw InputError(path.parent_path().string(), "", "cannot create the folder: " + failed.message());

  const fs::path temporary = path.string() + ".part";
  errno = 0;
  std::ofstream out(temporary, std::ios::binary);
  if (!out) throw InputError(path.string(), "", "cannot be written: " + system_reason());
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) {
    const std::string reason = system_reason();
    fs::remove(temporary, failed);
    throw InputError(path.string(), "", "cannot be written: " + reason);
  }
  fs::rename(temporary, path, failed);
  if (failed) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw InputError(path.string(), "", "cannot be replaced: " + failed.message());
  }
}

std::string read_file(const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(path, failed))
    throw InputError(path.string(), "", failed ? "cannot be read: " + failed.message() : "no such file");
  if (fs::is_directory(path, failed)) throw InputError(path.string(), "", "is a folder, not a file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  // An empty file sets failbit on `text`; only the stream that reads tells of an error.
  if (!in.is_open() || in.bad()) throw InputError(path.string(), "", "cannot be read: " + system_reason());
  return text.str();
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
  const std::string bytes = read_file(path);
  if (bytes.size() < 10 || bytes.compare(0, 6, "\x93NUMPY") != 0)
    throw InputError(path.string(), "header", "not a .npy file");
  const std::size_t length =
      static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  if (bytes.size() < 10 + length) throw InputError(path.string(), "header", "truncated");
  // Spaces go first: std::regex recurses over runs of them, and a hostile header could exhaust the stack.
  std::string header = bytes.substr(10, length);
  std::erase_if(header, [](unsigned char c) { return std::isspace(c); });
  std::smatch shape;
  static const std::regex pattern(R"(\{'descr':'<f4','fortran_order':False,'shape':\((\d{1,9}),3\),?\})");
  if (!std::regex_match(header, shape, pattern))
    throw InputError(path.string(), "header",
                     "expected float32 rows of 3, C order, found " + header.substr(0, 100));
  const std::size_t count = std::stoul(shape[1]);
  if (bytes.size() != 10 + length + count * sizeof(Vec3f))
    throw InputError(path.string(), "data", "the size does not match the header's shape");
  std::vector<Vec3f> rows(count);
  if (count > 0)  // memcpy wants a destination even for nothing
    std::memcpy(static_cast<void*>(rows.data()), bytes.data() + 10 + length, count * sizeof(Vec3f));
  return rows;
}

}  // namespace skinlight
