// A glTF file as it is written: its JSON, edited in place, and data added behind what it has. What is not
// edited comes out as it went in.
#pragma once

#include <tiny_gltf.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/core/output_file.h"

namespace skinlight::gltf {

using Json = nlohmann::ordered_json;

inline constexpr int kVertexTarget = 34962, kIndexTarget = 34963;  // bufferView.target

struct Document {
  std::filesystem::path path;
  bool binary = false;  // .glb, .vrm
  bool changed = false;
  Json json;
  std::string
      further_chunks;  // of .glb, behind its binary one, with their headers: whose they are nobody here knows
  std::string added;   // new data, 4-byte aligned
  std::vector<int> added_views;  // buffer views into it: their byteOffset counts from its start
  std::string bytes;             // as they were read, of an input that gives them once; or none
};

// The JSON in the bytes of a .gltf or .glb file; of a file that is cut short, what there is.
std::string_view json_text(std::string_view bytes);

// The JSON of the bytes of a file that open() has accepted. Throws what nlohmann::json throws.
Document parse_document(std::string_view bytes, const std::filesystem::path& path);

// A vertex attribute to be added. `values` are #vertices by `columns` numbers as a reader of the file gets
// them: divided by the largest integer when normalised.
struct NewAttribute {
  int component_type = TINYGLTF_COMPONENT_TYPE_FLOAT;
  bool normalized = false;
  int columns = 4;
  std::vector<double> values;
};

// Appends an accessor with a buffer view of its own, aligned and, where elements are no multiple of 4 bytes,
// strided as the format asks. Returns the accessor's index.
int add_attribute(Document& document, const NewAttribute& attribute);

struct WriteOptions {
  bool force = false;  // allow to replace the input, and files that are no earlier result
  std::vector<std::string> record_uris = {};  // buffers that the record of the earlier result lies in
};

// The file that will be written; "-" is standard output, which gets .glb. Throws InputError when `out` is no possible
// target: another extension than .gltf, .glb and .vrm, a folder, the input itself without force, what cannot be written or is
// being written by another run.
OutputFile claim_target(const std::filesystem::path& in, const std::filesystem::path& out,
                        const WriteOptions&);

// Writes the document to `out`, which is `target`, all its files or none; `file` holds the buffers of the input.
//  - .glb: the first buffer becomes the binary chunk and receives the added data; other external buffers
//    become data URIs.
//    Further chunks of a .glb stay behind it.
//  - .gltf: the added data, together with the binary chunk of a .glb, go to a .bin file beside `out`, which replaces none
//    but that of the earlier result's record, or any by force.
//  - External images and files of extensions (and buffers, of .gltf) are copied when `out` is in another folder; buffers
//    outside the input's folder move into the file.
//  - Not changed and of the same kind: the same bytes.
// Returns the files written, `out` last. Throws InputError naming the file that cannot be written; nothing is
// replaced then.
std::vector<std::filesystem::path> write_document(Document document, const tinygltf::Model& file,
                                                  const std::filesystem::path& out, OutputFile target,
                                                  const WriteOptions& options,
                                                  std::vector<Warning>& warnings);

}  // namespace skinlight::gltf
