#include "skinlight/asset/gltf/detail/gltf_document.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "skinlight/asset/gltf/detail/glb.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/core/file.h"

namespace skinlight::gltf {

namespace fs = std::filesystem;

namespace {

void append_word(std::string& bytes, std::uint32_t word) {
  bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
}

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

void pad(std::string& bytes, char with) { bytes.resize(padded(bytes.size()), with); }

// `chunk` and `added` one behind the other, both padded, are the binary chunk, which is left out where it is empty and none
// comes behind it.
std::string as_glb(std::string json, std::string_view chunk, std::string_view added,
                   std::string_view further_chunks) {
  pad(json, ' ');
  const std::size_t chunk_size = padded(chunk.size()) + padded(added.size());
  const bool has_chunk = chunk_size > 0 || !further_chunks.empty();
  const std::size_t size = kGlbHeader + kChunkHeader + json.size() +
                           (has_chunk ? kChunkHeader + chunk_size : 0) + further_chunks.size();
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw InputError("", "", "the result is larger than 4 GiB, which glTF cannot be");
  std::string bytes = "glTF";
  bytes.reserve(size);
  append_word(bytes, 2);
  append_word(bytes, static_cast<std::uint32_t>(size));
  append_word(bytes, static_cast<std::uint32_t>(json.size()));
  append_word(bytes, kJsonChunk);
  bytes += json;
  if (!has_chunk) return bytes;
  append_word(bytes, static_cast<std::uint32_t>(chunk_size));
  append_word(bytes, kBinChunk);
  for (const std::string_view part : {chunk, added}) {
    bytes += part;
    pad(bytes, '\0');
  }
  bytes += further_chunks;
  return bytes;
}

std::string base64(const std::vector<unsigned char>& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

std::string uri_of(const std::string& file_name) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri;
  for (const char c : file_name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::strchr("-._~", c) != nullptr) {
      uri += c;
    } else {
      uri += '%';
      uri += kHex[byte >> 4];
      uri += kHex[byte & 15];
    }
  }
  return uri;
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  return fs::equivalent(a, b, failed) && !failed;
}

// A device or pipe, which no extension names, and standard output take one file: a .glb that nothing lies beside.
bool is_stream(const fs::path& out) {
  std::error_code missing;
  const fs::file_status status = fs::status(out, missing);
  return out == kStandardOutput || (fs::exists(status) && !fs::is_regular_file(status) &&
                                    !fs::is_directory(status) && !out.has_extension());
}

bool is_glb(const fs::path& out) {
  std::string extension = out.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".glb" || extension == ".vrm" || is_stream(out)) return true;
  if (extension == ".gltf") return false;
  throw InputError(out.string(), "", "must end in .gltf, .glb or .vrm");
}

std::string uri_at(const Json& object) { return object.value("uri", std::string()); }

// Files to be written beside the one that refers to them.
struct Files {
  fs::path in, out;
  const WriteOptions& options;
  std::vector<std::pair<fs::path, std::string>> content;

  // A stream has no folder: what the file refers to stays where it is.
  bool moves() const { return !is_stream(out) && !same_file(folder_of(in), folder_of(out)); }

  bool is_outside(const fs::path& file) const { return *file.lexically_normal().begin() == ".."; }

  // Copies what a URI of the input refers to, so that it means the same from `out`.
  void copy(const std::string& uri, const std::string& element, std::vector<Warning>& warnings) {
    const fs::path file = file_of(uri);
    if (file.empty()) return;
    const fs::path from = folder_of(in) / file, to = folder_of(out) / file;
    if (is_outside(file)) {
      warnings.push_back({element, "refers to " + uri + ", outside the file's folder; it was not copied", 1});
      return;
    }
    if (std::any_of(content.begin(), content.end(), [&](const auto& other) { return other.first == to; }))
      return;
    std::error_code failed;
    if (!fs::is_regular_file(from, failed)) {
      warnings.push_back({element, "refers to " + uri + ", which is not there", 1});
      return;
    }
    std::string bytes = read_file(from);
    if (fs::exists(to, failed)) {
      if (fs::is_regular_file(to, failed) && read_file(to) == bytes) return;
      if (!options.force)
        throw InputError(to.string(), "",
                         "is in the way of a file that " + element + " refers to (--force replaces it)");
    }
    content.emplace_back(to, std::move(bytes));
  }

  // Other files of the folder may share a buffer with the earlier result, but not the one that its record lies in.
  bool holds_record(const fs::path& bin) const {
    return std::any_of(options.record_uris.begin(), options.record_uris.end(), [&](const std::string& uri) {
      return file_of(uri).lexically_normal() == bin.filename();
    });
  }

  // A name beside `out` that no file of the input has, and no file that is not to be replaced.
  fs::path free_bin(const Json& buffers) const {
    for (int n = 0;; ++n) {
      std::string name = out.stem().string();
      if (n > 0) name.append("_").append(std::to_string(n));
      fs::path bin = fs::path(out).replace_filename(name.append(".bin"));
      const bool taken = std::any_of(buffers.begin(), buffers.end(), [&](const Json& buffer) {
        const fs::path file = file_of(uri_at(buffer));
        return !file.empty() &&
               (same_file(folder_of(in) / file, bin) || file.lexically_normal() == bin.filename());
      });
      if (taken) continue;
      std::error_code failed;
      if (options.force || !fs::exists(bin, failed) || holds_record(bin)) return bin;
      if (!fs::exists(out, failed))
        throw InputError(bin.string(), "", "exists and belongs to no earlier result (--force replaces it)");
    }
  }

  // First all contents under other names, where a full disk shows, then the names; `target` last.
  std::vector<fs::path> write(OutputFile& target, std::string_view bytes) const {
    std::vector<OutputFile> beside;
    std::vector<fs::path> written;
    for (const auto& [path, content_of] : content) {
      beside.emplace_back(path);
      beside.back().fill(content_of);
      written.push_back(path);
    }
    target.fill(bytes);
    for (OutputFile& file : beside) file.commit();
    target.commit();
    written.push_back(out);
    return written;
  }
};

// Copies the files that extensions refer to: sounds, textures of a kind that images cannot be.
void copy_of_extensions(const Json& json, const std::string& extension, Files& files,
                        std::vector<Warning>& warnings) {
  for (const auto& [key, value] : json.items()) {
    if (json.is_object() && key == "extensions" && value.is_object())
      for (const auto& [name, of_extension] : value.items())
        copy_of_extensions(of_extension, name, files, warnings);
    else if (json.is_object() && key == "uri" && value.is_string() && !extension.empty())
      files.copy(value.get<std::string>(), "extension " + extension, warnings);
    else if (value.is_structured() && key != "extras")
      copy_of_extensions(value, extension, files, warnings);
  }
}

// Buffer views of the added data now count from `base` of a buffer.
void place_added(Document& document, std::size_t buffer, std::size_t base) {
  for (const int view : document.added_views) {
    Json& v = document.json["bufferViews"][static_cast<std::size_t>(view)];
    v["buffer"] = buffer;
    v["byteOffset"] = v["byteOffset"].get<std::size_t>() + base;
  }
}

std::string_view content_of(const tinygltf::Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.data.data()), buffer.data.size()};
}

std::string data_uri(const std::vector<unsigned char>& bytes) {
  return "data:application/octet-stream;base64," + base64(bytes);
}

// Buffers outside the input's folder, which would lie outside that of the result, move into the file.
void take_in_buffers(Document& document, const tinygltf::Model& file, const Files& files,
                     std::vector<Warning>& warnings) {
  if (!document.json.contains("buffers")) return;
  for (std::size_t i = 0; i < document.json["buffers"].size(); ++i) {
    Json& buffer = document.json["buffers"][i];
    const std::string uri = uri_at(buffer);
    if (const fs::path outside = file_of(uri); outside.empty() || !files.is_outside(outside)) continue;
    buffer["uri"] = data_uri(file.buffers[i].data);
    document.changed = true;
    warnings.push_back({"buffer " + std::to_string(i),
                        "refers to " + uri + ", outside the file's folder; the result holds its data", 1});
  }
}

// The buffers move into the container.
std::string to_glb(Document& document, const tinygltf::Model& file) {
  Json& buffers = document.json["buffers"];
  for (std::size_t i = 1; i < buffers.size(); ++i)
    if (!file_of(uri_at(buffers[i])).empty()) buffers[i]["uri"] = data_uri(file.buffers[i].data);
  if (!buffers.empty() && (document.binary || !uri_at(buffers[0]).empty())) {
    const std::string_view chunk = content_of(file.buffers[0]);
    buffers[0].erase("uri");
    if (!document.added.empty()) {
      place_added(document, 0, padded(chunk.size()));
      buffers[0]["byteLength"] = padded(chunk.size()) + document.added.size();
    }
    return as_glb(document.json.dump(), chunk, document.added, document.further_chunks);
  }
  if (!document.added.empty()) {  // no buffer, or one that an extension fills: it stays the first
    place_added(document, buffers.size(), 0);
    const std::vector<unsigned char> bytes(document.added.begin(), document.added.end());
    buffers.push_back({{"uri", data_uri(bytes)}, {"byteLength", bytes.size()}});
  }
  return as_glb(document.json.dump(), "", "", document.further_chunks);
}

// What has no place in JSON goes to a .bin file.
std::string to_gltf(Document& document, const tinygltf::Model& file, Files& files) {
  Json& buffers = document.json["buffers"];
  const bool has_chunk = document.binary && !buffers.empty() && uri_at(buffers[0]).empty();
  if (has_chunk || !document.added.empty()) {
    const fs::path bin = files.free_bin(buffers);
    std::string bytes(has_chunk ? content_of(file.buffers[0]) : "");
    if (!document.added.empty()) {
      pad(bytes, '\0');
      place_added(document, has_chunk ? 0 : buffers.size(), bytes.size());
      bytes += document.added;
    }
    if (!has_chunk) buffers.push_back(Json::object());
    Json& buffer = has_chunk ? buffers[0] : buffers.back();
    buffer["uri"] = uri_of(bin.filename().string());
    buffer["byteLength"] = bytes.size();
    files.content.emplace_back(bin, std::move(bytes));
  }
  return document.json.dump(2) + "\n";
}

}  // namespace

std::string_view json_text(std::string_view bytes) {
  if (!bytes.starts_with("glTF")) return bytes;
  if (bytes.size() < kGlbHeader + kChunkHeader) return {};
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + kGlbHeader, sizeof length);
  return bytes.substr(kGlbHeader + kChunkHeader, length);
}

namespace {

std::uint32_t word_of(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

// The whole chunks of a container behind the JSON and the binary one.
std::string_view further_chunks(std::string_view bytes) {
  bytes = bytes.substr(0, word_of(bytes, 8));
  const auto end_of_chunk = [&](std::size_t begin) {
    if (begin > bytes.size() || bytes.size() - begin < kChunkHeader) return bytes.npos;
    const std::size_t size = word_of(bytes, begin);
    return size % 4 == 0 && size <= bytes.size() - begin - kChunkHeader ? begin + kChunkHeader + size
                                                                        : bytes.npos;
  };
  std::size_t first = end_of_chunk(kGlbHeader);
  if (first != bytes.npos) first = end_of_chunk(first);
  if (first == bytes.npos) return {};
  std::size_t end = first;
  for (std::size_t next = first; next != bytes.npos; next = end_of_chunk(next)) end = next;
  return bytes.substr(first, end - first);
}

}  // namespace

Document parse_document(std::string_view bytes, const fs::path& path) {
  Document document;
  document.path = path;
  document.binary = bytes.starts_with("glTF");
  document.json = Json::parse(json_text(bytes));
  if (document.binary) document.further_chunks = further_chunks(bytes);
  return document;
}

int add_attribute(Document& document, const NewAttribute& attribute) {
  const int type = attribute.component_type;
  const bool is_float = type == TINYGLTF_COMPONENT_TYPE_FLOAT;
  const std::size_t width =
      is_float                                                                                  ? 4
      : type == TINYGLTF_COMPONENT_TYPE_SHORT || type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ? 2
                                                                                                : 1;
  double largest = 1;  // what 1 stands for
  if (attribute.normalized) {
    const bool is_signed = type == TINYGLTF_COMPONENT_TYPE_SHORT || type == TINYGLTF_COMPONENT_TYPE_BYTE;
    largest = std::ldexp(1.0, static_cast<int>(8 * width) - (is_signed ? 1 : 0)) - 1;
  }
  const auto columns = static_cast<std::size_t>(attribute.columns);
  const std::size_t element = width * columns, stride = (element + 3) / 4 * 4;
  const std::size_t rows = attribute.values.size() / columns, offset = document.added.size();
  document.added.resize(offset + rows * stride, '\0');
  for (std::size_t i = 0; i < attribute.values.size(); ++i) {
    char* to = document.added.data() + offset + i / columns * stride + i % columns * width;
    const double value = attribute.values[i];
    if (is_float) {
      const auto number = static_cast<float>(value);
      std::memcpy(to, &number, width);
    } else {
      const auto code = static_cast<std::int32_t>(std::nearbyint(value * largest));
      std::memcpy(to, &code, width);  // little-endian: its low bytes
    }
  }

  Json view = {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", rows * stride}};
  if (stride != element) view["byteStride"] = stride;
  view["target"] = kVertexTarget;
  Json& views = document.json["bufferViews"];
  views.push_back(std::move(view));
  document.added_views.push_back(static_cast<int>(views.size()) - 1);

  Json accessor = {{"bufferView", views.size() - 1}, {"componentType", type}};
  if (attribute.normalized) accessor["normalized"] = true;
  accessor["count"] = rows;
  accessor["type"] = "VEC" + std::to_string(columns);
  Json& accessors = document.json["accessors"];
  accessors.push_back(std::move(accessor));
  document.changed = true;
  return static_cast<int>(accessors.size()) - 1;
}

OutputFile claim_target(const fs::path& in, const fs::path& out, const WriteOptions& options) {
  is_glb(out);
  if (!options.force && same_file(in, out))
    throw InputError(out.string(), "", "is the input itself (--force replaces it)");
  return OutputFile(out);
}

std::vector<fs::path> write_document(Document document, const tinygltf::Model& file, const fs::path& out,
                                     OutputFile target, const WriteOptions& options,
                                     std::vector<Warning>& warnings) {
  Files files{document.path, out, options, {}};
  if (files.moves()) take_in_buffers(document, file, files, warnings);
  const bool glb = is_glb(out), verbatim = !document.changed && glb == document.binary;
  if (files.moves()) {
    if ((!glb || verbatim) && document.json.contains("buffers"))
      for (std::size_t i = 0; i < document.json["buffers"].size(); ++i)
        files.copy(uri_at(document.json["buffers"][i]), "buffer " + std::to_string(i), warnings);
    if (document.json.contains("images"))
      for (std::size_t i = 0; i < document.json["images"].size(); ++i)
        files.copy(uri_at(document.json["images"][i]), "image " + std::to_string(i), warnings);
    copy_of_extensions(document.json, "", files, warnings);
  }
  if (!glb && !document.further_chunks.empty())
    warnings.push_back({"the container",
                        "has chunks behind its binary one, for which .gltf has no place; they are left out",
                        1});
  const std::string bytes = !verbatim ? glb ? to_glb(document, file) : to_gltf(document, file, files)
                            : !document.bytes.empty() ? std::move(document.bytes)
                                                      : read_file(document.path);
  return files.write(target, bytes);
}

}  // namespace skinlight::gltf
