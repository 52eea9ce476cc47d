// The numbers as JSON and CSV.
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "repro/cli/compare.h"
#include "skinlight/audit/detail/health_checks.h"
#include "skinlight/character/predicted_normals.h"
#include "skinlight/skinning/packed_normals.h"

namespace skinlight::cli {

namespace {

using Json = nlohmann::ordered_json;

Json vertex_json(const Comparison& c, int vertex) {
  const Holder holder = holder_of(c.model(), vertex);
  return {{"index", vertex},
          {"name", health::vertex_name(c.raw, vertex)},
          {"bone", {{"index", holder.bone}, {"name", holder.name}, {"weight", holder.weight}}}};
}

Json error_json(const Comparison& c, const Way& way, const ClipError& clip, const ClipModeError& m) {
  return {{"way", way.name},
          {"normals", row(m.options.mode).name},
          {"guard", row(m.options.guard.guard).name},
          {"truth", name(m.truth)},
          {"weighting", m.error.weighting},
          {"mean_deg", m.error.mean},
          {"rms_deg", m.error.rms},
          {"p95_deg", m.error.p95},
          {"p99_deg", m.error.p99},
          {"max_deg", m.error.max},
          {"flips", m.error.flips},
          {"worst_frame", m.worst_frame},
          {"worst_frame_seconds", clip.times[static_cast<std::size_t>(m.worst_frame)]},
          {"worst_frame_mean_deg", m.worst_mean},
          {"worst_vertex", vertex_json(c, m.error.worst_vertex)},
          {"worst_vertex_frame", m.max_frame},
          {"worst_vertex_seconds", clip.times[static_cast<std::size_t>(m.max_frame)]}};
}

Json clip_json(const Comparison& c, const ClipError& clip) {
  Json json;
  json["clip"] = clip.clip;
  json["frames"] = clip.times.size();
  json["frames_without_area"] = clip.frames_without_area();
  json["errors"] = Json::array();
  for (std::size_t way = 0; way < c.ways.size(); ++way)
    for (const Truth truth : kTruths)
      json["errors"].push_back(error_json(c, c.ways[way], clip, clip.of(way, truth)));
  return json;
}

Json quartiles_json(const Quartiles& q) {
  return {{"q1", q.q1}, {"median", q.median}, {"q3", q.q3}, {"max", q.max}};
}

// What the rig looks like before it moves.
Json rest_json(const RingSummary& rest) {
  return {{"blended", rest.blended},
          {"edge-length", quartiles_json(rest.edge_length)},
          {"weight-change", quartiles_json(rest.weight_change)},
          {"dihedral", quartiles_json(rest.dihedral)}};
}

// What each kind of normals costs a vertex at four slots: operations of its kernel, bytes of what it reads besides the weights.
constexpr int kCostSlots = 4;

Json costs_json(const Comparison& c) {
  Json costs = Json::array();
  for (const Way& way : c.ways) {
    const NormalMode mode = way.options.mode;
    Json bytes = mode == NormalMode::standard ? Json(0) : Json();
    for (const RecordKindRow& record : kRecordKinds)
      if (mode_reading(record.kind) == mode)
        bytes = normal_record_bytes(record.kind, kCostSlots, NumberFormat::f16);
    costs.push_back({{"way", way.name},
                     {"slots", kCostSlots},
                     {"operations", kernel_operations(c.method, mode, kCostSlots)},
                     {"record_bytes_f16", std::move(bytes)}});
  }
  return costs;
}

// Errors sorted by what the one-rings look like.
Json rings_json(const Comparison& c) {
  Json json = Json::array();
  const auto bins = c.rings->bins();
  for (std::size_t p = 0; p < bins.size(); ++p) {
    Json property = {
        {"by", ring_properties()[p].name}, {"unit", ring_properties()[p].unit}, {"bins", Json::array()}};
    for (const RingBin& bin : bins[p]) {
      Json means;
      for (std::size_t way = 0; way < c.ways.size(); ++way) means[c.ways[way].name] = bin.mean_deg[way];
      property["bins"].push_back({{"from", bin.from},
                                  {"to", std::isfinite(bin.to) ? Json(bin.to) : Json()},
                                  {"share", bin.share},
                                  {"mean_deg", std::move(means)}});
    }
    json.push_back(std::move(property));
  }
  return json;
}

// As RFC 4180 has it.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string q = "\"";
  for (const char ch : text) q += ch == '"' ? std::string("\"\"") : std::string(1, ch);
  return q + "\"";
}

}  // namespace

void write_comparison(Outputs& outputs, const Comparison& c) {
  const RiggedMesh& mesh = c.model().mesh;
  const NormalRecord& factors = c.character.factors();
  const Overflow& overflow = factors.overflow;
  Json json;
  json["model"] = c.options.model;
  json["vertices"] = mesh.vertex_count();
  json["welded_vertices"] = c.character.surface().vertex_count();
  json["faces"] = mesh.faces.size();
  json["bones"] = mesh.bone_count;
  json["influences"] = mesh.slots;
  json["morph_targets"] = c.model().morphs.size();
  json["method"] = row(c.method).name;
  json["deform_factors"] = {{"slots", factors.slots},
                            {"averaging", name(factors.averaging)},
                            {"overflow_vertices", overflow.vertices},
                            {"overflow_bones", overflow.bones},
                            {"overflow_largest_share", overflow.largest_share},
                            {"overflow_worst_vertex", overflow.worst_vertex}};
  json["warnings"] = warnings_json(c.warnings);
  json["clips"] = Json::array();
  for (const ClipError& clip : c.errors) json["clips"].push_back(clip_json(c, clip));
  json["unmeasured_clips"] = c.unmeasured;
  if (const auto best = recommendation(c)) {
    const std::optional<NormalMode> pays = repro::cheapest_that_pays(mean_errors(c));
    json["verdict"] = {{"recommended", row(best->choice.mode).name},
                       {"guard", row(best->guarded ? best->guarded->guard.guard : Guard::none).name},
                       {"standard_mean_deg", best->standard_mean},
                       {"mean_deg", best->mean},
                       {"sentence", repro::sentence(*best)},
                       {"pays", pays ? row(*pays).name : ""},
                       {"next", next_command(c, *best)},
                       {"next_needs", repro::next_needs(*best, c.options.model)}};
  }
  if (c.rings) {
    json["costs"] = costs_json(c);
    const RingSummary rest = c.rings->rest();
    json["rest"] = rest_json(rest);
    if (c.method == Method::lbs) json["rest"]["predicted"] = row(predicted_normals(rest)).name;
    json["rings"] = rings_json(c);
  }
  outputs.write_json(c.options.json, json);
}

std::string comparison_csv(const Comparison& c) {
  std::string csv =
      "clip,frame,seconds,way,truth,mean_deg,rms_deg,p95_deg,max_deg,flips,worst_vertex,worst_bone\n";
  for (const ClipError& clip : c.errors)
    for (std::size_t f = 0; f < clip.times.size(); ++f)
      for (std::size_t way = 0; way < c.ways.size(); ++way)
        for (const Truth truth : kTruths) {
          const NormalError& e = clip.of(way, truth).frames[f];
          const bool has_area = e.worst_vertex >= 0;
          char numbers[200] = ",,,,,";
          if (has_area)
            std::snprintf(numbers, sizeof numbers, "%.9g,%.9g,%.9g,%.9g,%d,%d", e.mean, e.rms, e.p95, e.max,
                          e.flips, e.worst_vertex);
          char seconds[40];
          std::snprintf(seconds, sizeof seconds, "%.9g", clip.times[f]);
          csv += quoted(clip.clip) + "," + std::to_string(f) + "," + seconds + "," + c.ways[way].name + "," +
                 std::string(name(truth)) + "," + numbers + "," +
                 (has_area ? quoted(holder_of(c.model(), e.worst_vertex).name) : "") + "\n";
        }
  return csv;
}

}  // namespace skinlight::cli
