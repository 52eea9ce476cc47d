// Nothing is read or written behind the end of a picture, a list or a text: what is allocated here ends where a page begins
// that cannot be touched. The sanitizers look at every test; this one needs none.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/render/context.h"
#include "skinlight/render/flip.h"
#include "skinlight/render/gpu_skin.h"
#include "skinlight/render/heat_map.h"
#include "skinlight/render/image.h"
#include "skinlight/render/image_compare.h"
#include "skinlight/render/normal_map.h"
#include "skinlight/render/offscreen.h"
#include "skinlight/render/text.h"
#include "skinlight/samples/procedural.h"
#include "testing/skin_data.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SKINLIGHT_GUARDED_BLOCKS 1
#endif

namespace skinlight {
namespace {

thread_local bool guarding = false;

#ifdef SKINLIGHT_GUARDED_BLOCKS

constexpr std::size_t kReserved = std::size_t{1} << 32;  // addresses, of which few become memory
char* reserved = nullptr;
std::size_t reserved_used = 0;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// nullptr where there is no memory. Alignment is that of the size, so that the end is an end of pages.
void* guarded_block(std::size_t size) {
  if (!reserved) {
    void* at = mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return nullptr;
    reserved = static_cast<char*>(at);
  }
  const std::size_t page = page_size(), pages = (size + page - 1) / page * page;
  if (reserved_used + pages + page > kReserved) return nullptr;
  char* begin = reserved + reserved_used;
  if (mprotect(begin, pages, PROT_READ | PROT_WRITE) != 0) return nullptr;
  reserved_used += pages + page;
  return begin + pages - size;
}

bool is_guarded(const void* block) { return reserved && block >= reserved && block < reserved + kReserved; }

#endif

// Until it goes, what this thread allocates is guarded.
struct Guarding {
  Guarding() { guarding = true; }
  Guarding(const Guarding&) = delete;
  Guarding& operator=(const Guarding&) = delete;
  ~Guarding() { guarding = false; }
};

}  // namespace
}  // namespace skinlight

#ifdef SKINLIGHT_GUARDED_BLOCKS

// Never inline: GCC would warn of free() on what is not visibly from malloc().
// NOLINTBEGIN(cppcoreguidelines-no-malloc)
[[gnu::noinline]] void* operator new(std::size_t size) {
  const std::size_t wanted = size == 0 ? 1 : size;
  void* block = skinlight::guarding ? skinlight::guarded_block(wanted) : std::malloc(wanted);
  if (!block) throw std::bad_alloc();
  return block;
}
[[gnu::noinline]] void operator delete(void* block) noexcept {
  if (!skinlight::is_guarded(block)) std::free(block);  // guarded addresses are not used again
}
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
// NOLINTEND(cppcoreguidelines-no-malloc)

#endif

namespace skinlight {
namespace {

constexpr Rgb8 kGrey{90, 100, 110};

#ifdef SKINLIGHT_GUARDED_BLOCKS

TEST(BordersDeathTest, TouchingWhatIsBehindABlockEndsTheProcess) {
  const auto touch_behind = [](std::size_t bytes) {
    const Guarding all;
    const std::vector<std::uint8_t> block(bytes);
    volatile const std::uint8_t* at = block.data();
    return at[bytes];
  };
  for (const std::size_t bytes : {1u, 15u, 16u, 4096u}) EXPECT_DEATH(touch_behind(bytes), "");
}

#endif

// Pictures higher than wide and the other way round; a last row that is touched at its end is enough.
TEST(Borders, PicturesAreMadeComparedAndCutWithinTheirPixels) {
  const Guarding all;
  constexpr int kSizes[][2] = {{6, 4}, {4, 6}, {1, 1}};
  for (const auto& [width, height] : kSizes) {
    const Image8 image(width, height, kGrey);
    Image8 other = image;
    other.at(width - 1, height - 1)[2] = 7;
    EXPECT_EQ(compare_images(other, image).pixels, 1);
    EXPECT_GT(flip(other, image).mean, 0);
    ImageF floats(2 * width, 2 * height);
    std::fill(floats.rgba.begin(), floats.rgba.end(), 0.5f);
    EXPECT_EQ(downsample(floats, 2).rgba,
              std::vector<float>(static_cast<std::size_t>(4 * width * height), 0.5f));
    EXPECT_EQ(srgb_from_linear(over(floats, {0.1f, 0.2f, 0.3f})).width, 2 * width);
    EXPECT_EQ(heat_map(floats, floats, 10).at(2 * width - 1, 2 * height - 1)[3], 1);
    EXPECT_EQ(heat_map_picture(floats, floats, 10, 2).width, width);
    EXPECT_EQ(
        make_normal_map(width, height, [](Vec2d) { return Vec3d(0, 0, 1); }).at(width - 1, height - 1)[2],
        255);
    for (int y = -7; y <= 7; ++y)
      for (int x = -7; x <= 7; ++x) paste(image, x, y, other);
    const std::array<Panel, 2> panels{Panel{image, "a label"}, Panel{other, ""}};
    const Image8 row = compose_row(panels);
    const std::array<Image8, 2> rows{row, image};
    EXPECT_EQ(compose_column(rows).height, row.height + height);
  }
}

TEST(Borders, TextAndLegendsAreDrawnWithinTheirPixels) {
  const Guarding all;
  for (int y = -20; y <= 12; y += 3)
    for (int x = -30; x <= 18; x += 3) {
      Image8 image(16, 11, kGrey);
      draw_text(image, "W\u2265g", static_cast<float>(x), static_cast<float>(y), TextAlign::left, 20,
                {0, 0, 0});
    }
  for (const int width : {1, 8, 9, 16, 17, 18, 100}) EXPECT_EQ(heat_legend(width, 40).width, width);
  for (const char* text : {"a", "\xc2", "\xe2\x89", "\xf0\x9f\x98"}) {
    const std::vector<char> bytes(text, text + std::string(text).size());
    EXPECT_GT(text_width({bytes.data(), bytes.size()}, 20), 0);
  }
}

TEST(Borders, NormalsAreComparedWithinTheirRows) {
  const Guarding all;
  const std::vector<Vec3f> one(3, Vec3f(0, 0, 1)), other(3, Vec3f(1, 0, 0));
  EXPECT_EQ(compare_normals(one, other, 0.1).above, 3);
  EXPECT_EQ(weighted_median(std::vector<float>{1, 2, 3}), 2);
}

// The mesh is guarded, what the driver allocates is not.
TEST(Borders, AMeshIsDrawnWithinItsLists) {
  const auto context = create_context(Renderer::llvmpipe);
  std::vector<Face> faces;
  std::vector<Vec3f> p, n;
  {
    const Guarding mesh;
    p = {Vec3f(-1, -1, 0), Vec3f(1, -1, 0), Vec3f(0, 1, 0)};
    n.assign(3, Vec3f(0, 0, 1));
    faces = {{0, 1, 2}};
  }
  const Camera camera = frame(std::span<const Vec3f>(p), View{{0, 0, 1}, {0, 1, 0}, 0, 0}, 1);
  OffscreenRenderer renderer(*context);
  EXPECT_EQ(renderer.normals({faces, p, n}, camera, 9, 9).at(4, 4)[2], 1);
  EXPECT_EQ(renderer.shaded({faces, p, n}, camera, {5, 3, 2}).width, 5);
}

TEST(Borders, ARigIsUploadedWithinItsLists) {
  const auto context = create_context(Renderer::llvmpipe);
  const ProceduralRig made = cylinder({}, {.segments = 8});
  const NormalRecord of_factors = deform_factors_from_gradients(made.mesh, made.gradient);
  NormalRecord of_vectors = of_factors;
  for (std::size_t i = 0; i < of_factors.weight.size(); ++i) {
    const std::size_t v = i / static_cast<std::size_t>(of_factors.slots);
    of_vectors.along_t.push_back(made.mesh.t0[v] * of_factors.weight[i]);
    of_vectors.along_b.push_back(made.mesh.b0[v] * of_factors.weight[i]);
  }
  const FrameRecord of_frames = test_skin_data::frames_of(made.mesh, of_factors, {0.1, 0.2, 0.3});
  RotationCentres of_vertices;
  of_vertices.centre = made.mesh.p0;
  of_vertices.along_t = made.mesh.t0;
  of_vertices.along_b = made.mesh.b0;
  of_vertices.has_centre.assign(made.mesh.p0.size(), 1);
  RiggedMesh mesh;
  NormalRecord factors, vectors;
  FrameRecord frames;
  RotationCentres centres;
  {
    const Guarding copies;  // which have no room at their ends
    mesh = made.mesh;
    factors = of_factors;
    vectors = of_vectors;
    frames = of_frames;
    centres = of_vertices;
  }
  SkinData data(factors);
  data.vectors = &vectors;
  data.frames = &frames;
  data.centres = &centres;
  const GpuSkin gpu(*context, mesh, data);
  EXPECT_EQ(gpu.capture(cylinder_bend(0.5), {}).p.size(), mesh.p0.size());
}

}  // namespace
}  // namespace skinlight
