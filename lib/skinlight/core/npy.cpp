#include "skinlight/core/npy.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/core/half.h"

namespace skinlight {

namespace {

constexpr std::size_t kMaxDimensions = 4;

struct Header {
  std::string type;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t data = 0;  // where it begins
};

// What is left when all spaces are gone, which Python allows anywhere.
std::string without_spaces(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

std::string header_text(const std::string& bytes, const std::string& file, std::size_t& data) {
  const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(bytes[i])}; };
  if (bytes.size() < 10 || bytes.compare(0, 6, "\x93NUMPY") != 0)
    throw InputError(file, "header", "not a .npy file");
  const std::size_t version = byte(6), preamble = version == 1 ? 10 : 12;
  if (version < 1 || version > 3)
    throw InputError(file, "header", "unknown version " + std::to_string(version) + " of the .npy format");
  if (bytes.size() < preamble) throw InputError(file, "header", "truncated");
  std::size_t length = byte(8) + 256 * byte(9);
  if (version > 1) length += 65536 * byte(10) + 16777216 * byte(11);
  if (bytes.size() - preamble < length) throw InputError(file, "header", "truncated");
  data = preamble + length;
  return without_spaces(bytes.substr(preamble, length));
}

// Takes `prefix` off the front of `text` where it is there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// "2,3" or "6," or "", up to nine digits each: the sizes, taken off the front.
std::vector<std::size_t> take_sizes(std::string_view& text) {
  std::vector<std::size_t> sizes;
  std::uint32_t size = 0;
  do {
    const char* const end =
        std::from_chars(text.data(), text.data() + std::min(text.size(), std::size_t{9}), size).ptr;
    if (end == text.data()) break;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    sizes.push_back(size);
  } while (take(text, ","));
  return sizes;
}

// Reads the dictionary {'descr':'<f4','fortran_order':False,'shape':(2,3),}, its entries in numpy's order.
bool parse_dictionary(std::string_view text, Header& header) {
  if (!take(text, "{'descr':'")) return false;
  header.type = text.substr(0, text.find('\''));
  if (header.type.size() > 8) return false;
  text.remove_prefix(header.type.size());
  header.fortran_order = take(text, "','fortran_order':True");
  if (!header.fortran_order && !take(text, "','fortran_order':False")) return false;
  if (!take(text, ",'shape':(")) return false;
  header.shape = take_sizes(text);
  if (header.shape.size() > kMaxDimensions || !take(text, ")")) return false;
  take(text, ",");
  return text == "}";
}

Header parse_header(const std::string& bytes, const std::string& file) {
  Header header;
  const std::string text = header_text(bytes, file, header.data);
  if (!parse_dictionary(text, header))
    throw InputError(file, "header",
                     "expected an array of numbers with at most " + std::to_string(kMaxDimensions) +
                         " dimensions, found " + text.substr(0, 100));
  return header;
}

template <class T>
double value_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

double half_at(const char* bytes) {
  std::uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return double_from_half(bits);
}

struct Type {
  const char* name;
  std::size_t bytes;
  double (*read)(const char*);
};

constexpr Type kTypes[] = {
    {"<f4", 4, value_at<float>},
    {"<f8", 8, value_at<double>},
    {"<f2", 2, half_at},
    {"|i1", 1, value_at<std::int8_t>},
    {"|u1", 1, value_at<std::uint8_t>},
    {"<i2", 2, value_at<std::int16_t>},
    {"<u2", 2, value_at<std::uint16_t>},
    {"<i4", 4, value_at<std::int32_t>},
    {"<u4", 4, value_at<std::uint32_t>},
    {"<i8", 8, value_at<std::int64_t>},
    {"<u8", 8, value_at<std::uint64_t>},
};

const Type& type_of(const Header& header, const std::string& file) {
  for (const Type& type : kTypes)
    if (header.type == type.name) return type;
  throw InputError(
      file, "header",
      "type '" + header.type +
          "' is not read; use little-endian float16, float32, float64 or integers, as array.astype(numpy.float32)");
}

// The number of entries; what a file of `bytes` data bytes cannot hold is no valid size either.
std::size_t entries_of(const Header& header, const Type& type, std::size_t bytes, const std::string& file) {
  const std::size_t most = bytes / type.bytes;
  std::size_t entries = 1;
  for (const std::size_t size : header.shape) {
    if (size != 0 && entries > most / size)
      throw InputError(file, "data", "the size does not match the header's shape");
    entries *= size;
  }
  if (entries * type.bytes != bytes)
    throw InputError(file, "data", "the size does not match the header's shape");
  return entries;
}

// From the first index running fastest to the last one running fastest.
std::vector<double> to_c_order(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  std::vector<double> sorted(values.size());
  std::vector<std::size_t> index(shape.size(), 0);
  for (double& value : sorted) {
    std::size_t from = 0;
    for (std::size_t d = shape.size(); d-- > 0;) from = from * shape[d] + index[d];
    value = values[from];
    for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];) index[d] = 0;
  }
  return sorted;
}

}  // namespace

std::string NpyArray::shape_text() const {
  std::string text;
  for (const std::size_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

NpyArray read_npy_array(const std::filesystem::path& path) {
  const std::string bytes = read_file(path), file = path.string();
  const Header header = parse_header(bytes, file);
  const Type& type = type_of(header, file);
  const std::size_t entries = entries_of(header, type, bytes.size() - header.data, file);
  NpyArray array{header.type, header.shape, {}};
  array.values.reserve(entries);
  for (std::size_t i = 0; i < entries; ++i)
    array.values.push_back(type.read(bytes.data() + header.data + i * type.bytes));
  if (header.fortran_order) array.values = to_c_order(array.values, array.shape);
  return array;
}

}  // namespace skinlight
