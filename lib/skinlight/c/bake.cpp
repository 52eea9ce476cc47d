// Baking.
#include "skinlight/bake/bake.h"

#include "skinlight/c/detail/call.h"

using namespace skinlight;

namespace {

// What the mode reads.
void set_record(NormalMode mode, std::int32_t method, BakeOptions& options) {
  if (mode == NormalMode::deform_frames) {
    options.frames = method == 0 ? Method::dqs : c::method_of(method);
    return;
  }
  if (method != 0) throw InputError("", "method", "is that of deform frames, which are not to be baked");
  options.kind = mode == NormalMode::deform     ? RecordKind::deform_factors
                 : mode == NormalMode::smoothed ? RecordKind::smoothed
                                                : RecordKind::deform_vectors;
}

BakeOptions bake_options(const skinlight_bake_options* theirs) {
  const skinlight_bake_options own = c::own_version(theirs, "options");
  BakeOptions options;
  set_record(c::meaning(c::kBakedRecords, own.record, "record"), own.method, options);
  options.layout = c::meaning(c::kLayouts, own.layout, "layout");
  options.format = c::meaning(c::kFormats, own.format, "format");
  options.influences = own.influences;
  options.averaging = c::averaging_of(own.averaging);
  options.force = own.force != 0;
  options.threads = c::threads_of(own.threads);
  options.missing_normals = c::meaning(c::kMissingNormals, own.missing_normals, "missing_normals");
  return options;
}

skinlight_bake_report report_of(const BakeReport& report, const BakeOptions& options) {
  const auto size = [](int count) { return static_cast<std::size_t>(count); };
  skinlight_bake_report own = {};
  own.unchanged = report.unchanged;
  if (report.unchanged) return own;
  const int slots = report.record().slots;
  const RecordCost cost = options.frames ? frame_cost(options.format, slots)
                                         : record_cost(options.kind, options.layout, options.format, slots);
  own.vertex_count = report.character.mesh().p0.size();
  own.welded_count = size(report.character.surface().vertex_count());
  own.primitive_count = size(report.primitives);
  own.slots = size(slots);
  own.attributes = size(cost.attributes);
  own.bytes = size(cost.bytes);
  own.overflow_vertices = size(report.record().overflow.vertices);
  return own;
}

}  // namespace

extern "C" skinlight_status skinlight_bake(const char* in, const char* out,
                                           const skinlight_bake_options* options,
                                           skinlight_bake_report* report) {
  return c::call([&] {
    if (report) c::require_struct(report, "report");
    const BakeOptions own = bake_options(options);
    const BakeReport baked = bake_gltf(&c::needed(in, "in"), &c::needed(out, "out"), own);
    if (report) c::give(report_of(baked, own), report, "report");
  });
}
