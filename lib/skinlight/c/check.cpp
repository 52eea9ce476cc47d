// The health of rigs.
#include "skinlight/asset/model_file.h"
#include "skinlight/audit/health.h"
#include "skinlight/bake/stale.h"
#include "skinlight/c/detail/call.h"

using namespace skinlight;

// What skinlight.h calls the health of a rig.
struct skinlight_health {
  Health health;
};

extern "C" {

skinlight_status skinlight_check(const char* path, const skinlight_check_options* options,
                                 skinlight_health** health) {
  if (health) *health = nullptr;
  return c::call([&] {
    c::needed(health, "health");
    const skinlight_check_options own = c::own_version(options, "options");
    HealthOptions how;
    if (own.influences != 0) how.max_influences = own.influences;
    RawAttributes raw;
    const std::filesystem::path file = &c::needed(path, "path");
    const ReadOptions read = {
        .max_influences = kAllInfluences,
        .raw = &raw,
        .keep_unusable_weights = true,
        .missing_normals = c::meaning(c::kMissingNormals, own.missing_normals, "missing_normals")};
    const Character character(read_model(file, read), {}, c::threads_of(own.threads));
    raw.stale_bakes = stale_bakes(file);
    *health = new skinlight_health{check_health(character, raw, how)};
  });
}

void skinlight_health_free(skinlight_health* health) { delete health; }

std::size_t skinlight_health_count(const skinlight_health* health) {
  return health ? health->health.findings.size() : 0;
}

skinlight_status skinlight_health_get(const skinlight_health* health, std::size_t index,
                                      skinlight_finding* finding) {
  return c::call([&] {
    const std::vector<Finding>& findings = c::needed(health, "health").health.findings;
    if (index >= findings.size()) throw c::BadCall{"finding " + std::to_string(index) + " does not exist"};
    const Finding& f = findings[index];
    // The table of kinds is made of literals.
    skinlight_finding own = {};
    own.kind = f.kind->id.data();
    own.part = name(f.part).data();
    own.name = f.name.c_str();
    own.says = f.kind->says.data();
    own.detail = f.detail.c_str();
    own.advice = f.kind->advice.data();
    own.unit = f.kind->unit.data() ? f.kind->unit.data() : "";
    own.severity = f.kind->severity == Severity::error     ? SKINLIGHT_ERROR
                   : f.kind->severity == Severity::warning ? SKINLIGHT_WARNING
                                                           : SKINLIGHT_NOTE;
    own.index = f.index;
    own.count = static_cast<std::size_t>(f.count);
    own.of = static_cast<std::size_t>(f.of);
    own.size = f.size;
    c::give(own, finding, "finding");
  });
}

}  // extern "C"
