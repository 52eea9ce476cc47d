#include "repro/runner/data_file.h"

#include <stdexcept>

#include "skinlight/render/detail/embedded.h"

namespace skinlight::embedded {

std::span<const EmbeddedFile> repro_bytes();  // see repro/CMakeLists.txt

}  // namespace skinlight::embedded

namespace skinlight::repro {

std::string_view data_file(const std::string& name) {
  for (const embedded::EmbeddedFile& file : embedded::repro_bytes())
    if (file.name == name) return file.bytes;
  throw std::logic_error("repro/" + name + " is not embedded");
}

}  // namespace skinlight::repro
