// Binary FBX: a magic line, the version, then elements {end offset, number of values, their bytes, name,
// values, children}. From version 7500 on offsets and counts have 64 bits.
#include <zlib.h>

#include <cstring>

#include "skinlight/asset/fbx/detail/fbx_element.h"
#include "skinlight/core/error.h"

namespace skinlight::fbx {

namespace {

constexpr std::string_view kMagic("Kaydara FBX Binary  \0", 21);
constexpr std::size_t kHeader = 27;           // magic, two bytes, version
constexpr std::uint32_t kWideOffsets = 7500;  // the first version with 64-bit offsets

class BinaryReader {
 public:
  explicit BinaryReader(std::string_view bytes) : bytes_(bytes) {}

  File read() {
    if (bytes_.size() < kHeader) throw InputError("", "header", "is truncated");
    at_ = kHeader - sizeof(std::uint32_t);
    const auto version = number<std::uint32_t>();
    require_version(version);
    is_wide_ = version >= kWideOffsets;
    File file;
    // The list ends with an empty element; a footer that nobody needs follows.
    for (Element element; read_element(element, bytes_.size(), 0);)
      file.root.children.push_back(std::move(element));
    return file;
  }

 private:
  std::string where() const { return "byte " + std::to_string(at_); }

  void require(bool condition, const char* reason) const {
    if (!condition) throw InputError("", where(), reason);
  }

  std::string_view take(std::uint64_t size) {
    require(size <= bytes_.size() - at_, "the file ends in the middle of an element");
    const std::string_view part = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += static_cast<std::size_t>(size);
    return part;
  }

  // FBX is little-endian, as every machine that this library is built for.
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  std::uint64_t offset() { return is_wide_ ? number<std::uint64_t>() : number<std::uint32_t>(); }

  // False at the empty element that ends a list.
  bool read_element(Element& element, std::size_t end_of_list, int depth) {
    const std::string place = where();
    const std::uint64_t end = offset(), count = offset(), size = offset();
    element = {};
    element.name = take(number<std::uint8_t>());
    if (end == 0) return false;
    require(depth < kDeepest, "elements are nested too deep");
    if (end < at_ || end > end_of_list)
      throw InputError("", place + " (" + shown(element.name) + ")", "its end lies outside of the file");
    require(size <= end - at_, "values reach beyond their element");
    const std::size_t end_of_values = at_ + static_cast<std::size_t>(size);
    require(count <= size, "has more values than bytes");
    element.values.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) element.values.push_back(read_value());
    require(at_ == end_of_values, "values do not fill their bytes");
    while (at_ < end) {
      Element child;
      if (!read_element(child, static_cast<std::size_t>(end), depth + 1)) break;
      element.children.push_back(std::move(child));
    }
    require(at_ == end, "an element does not end where it says");
    return true;
  }

  Value read_value() {
    switch (const char type = number<char>()) {
      case 'C':
        return std::int64_t{number<std::uint8_t>()};
      case 'Y':
        return std::int64_t{number<std::int16_t>()};
      case 'I':
        return std::int64_t{number<std::int32_t>()};
      case 'L':
        return number<std::int64_t>();
      case 'F':
        return static_cast<double>(number<float>());
      case 'D':
        return number<double>();
      case 'S':
      case 'R':
        return std::string(take(number<std::uint32_t>()));
      case 'b':
      case 'c':
        return read_array<std::uint8_t, std::int64_t>();
      case 'i':
        return read_array<std::int32_t, std::int64_t>();
      case 'l':
        return read_array<std::int64_t, std::int64_t>();
      case 'f':
        return read_array<float, double>();
      case 'd':
        return read_array<double, double>();
      default:
        throw InputError("", where(), std::string("unknown type of value \"") + shown({&type, 1}) + "\"");
    }
  }

  template <class Stored, class Wanted>
  std::vector<Wanted> read_array() {
    const auto count = number<std::uint32_t>(), encoding = number<std::uint32_t>(),
               size = number<std::uint32_t>();
    const std::string_view stored = take(size);
    const std::uint64_t wanted = std::uint64_t{count} * sizeof(Stored);
    require(encoding <= 1, "unknown encoding of an array");
    std::string inflated;
    if (encoding == 1) inflated = inflate(stored, wanted);
    const std::string_view raw = encoding == 1 ? std::string_view(inflated) : stored;
    require(raw.size() == wanted, "an array has not as many bytes as its numbers need");
    std::vector<Wanted> numbers;
    numbers.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      Stored value;
      std::memcpy(&value, raw.data() + i * sizeof value, sizeof value);
      numbers.push_back(static_cast<Wanted>(value));
    }
    return numbers;
  }

  // Nothing that deflate writes is longer than this many times its size, so a lie about it is found before
  // memory is asked for. What all arrays take together is bounded as well.
  std::string inflate(std::string_view from, std::uint64_t size) {
    constexpr std::uint64_t kLargestRatio = 1032, kMostBytes = std::uint64_t{1} << 32;
    require(size <= kLargestRatio * (from.size() + 1),
            "an array is longer than its compressed bytes can give");
    inflated_ += size;
    require(inflated_ <= kMostBytes, "the arrays of the file would take more than 4 GiB");
    std::string to(static_cast<std::size_t>(size), '\0');
    uLongf length = static_cast<uLongf>(size);
    const int result =
        ::uncompress(reinterpret_cast<Bytef*>(to.data()), &length,
                     reinterpret_cast<const Bytef*>(from.data()), static_cast<uLong>(from.size()));
    require(result == Z_OK && length == size, "a compressed array is damaged");
    return to;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool is_wide_ = false;
  std::uint64_t inflated_ = 0;
};

}  // namespace

bool is_binary(std::string_view bytes) { return bytes.substr(0, kMagic.size()) == kMagic; }

File parse_binary(std::string_view bytes) { return BinaryReader(bytes).read(); }

}  // namespace skinlight::fbx
