// stb_image reads both kinds; its code is compiled in here, without those for other kinds.
#include <limits>

#include "skinlight/core/error.h"
#include "skinlight/render/image.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#include <stb/stb_image.h>

namespace skinlight {

Image8 decode_image(std::string_view bytes) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw InputError("", "picture", "is larger than 2 GiB");
  Image8 image;
  int channels = 0;
  stbi_uc* rgb =
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                            &image.width, &image.height, &channels, 3);
  if (!rgb)
    throw InputError("", "picture",
                     std::string("is no PNG or JPEG that can be read: ") + stbi_failure_reason());
  image.rgb.assign(rgb,
                   rgb + 3 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  stbi_image_free(rgb);
  return image;
}

}  // namespace skinlight
