// How wrong normals are over a family of rigs that nobody chose: every animated model, and what is done to characters on
// their way into a game. What holds for most of them, and whether the one-rings tell beforehand. repro/survey does the same
// for any number of files; this is its fixed sample.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "repro/study/clip_study.h"
#include "repro/study/frames.h"
#include "repro/study/recommendation.h"
#include "repro/study/statistics.h"
#include "skinlight/character/predicted_normals.h"
#include "skinlight/rig/subdivide.h"

namespace skinlight::repro::beyond::survey {

namespace {

constexpr int kFrames = 3;
constexpr std::size_t kClips = 2;  // the first ones
constexpr NormalMode kModes[] = {NormalMode::standard, NormalMode::deform, NormalMode::smoothed,
                                 NormalMode::deform_vectors};

// Weights to a power: above 1 the strongest bone gets more, below 1 less.
void raise_weights(RiggedMesh& mesh, double power) {
  for (double& weight : mesh.weight) weight = weight > 0 ? std::pow(weight, power) : 0;
  std::vector<Warning> scaled;
  normalize_weights(mesh, scaled);
}

struct Change {
  const char* name;
  void (*apply)(RiggedMesh&);
};
constexpr Change kChanges[] = {{"as it is", [](RiggedMesh&) {}},
                               {"one influence", [](RiggedMesh& mesh) { limit_influences(mesh, 1); }},
                               {"two influences", [](RiggedMesh& mesh) { limit_influences(mesh, 2); }},
                               {"sharper weights", [](RiggedMesh& mesh) { raise_weights(mesh, 3); }},
                               {"softer weights", [](RiggedMesh& mesh) { raise_weights(mesh, .5); }},
                               {"edges split", [](RiggedMesh& mesh) {
                                  mesh = bisect_edges(mesh);
                                  limit_influences(mesh, Preparation().max_slots);
                                }}};

// A rig of the sample: mean degrees by kind of normals, in the order of kModes.
struct Row {
  std::string model, change;
  RingSummary rest;
  std::vector<MeasuredWay> ways;
  std::optional<NormalMode> pays;
  NormalMode predicted = NormalMode::standard;
};

Row measured(const char* name, const Model& original, const Change& change, Workbench& bench) {
  Model changed = original;
  change.apply(changed.mesh);
  const Character character(std::move(changed), {}, bench.threads);
  const std::vector<Clip>& clips = character.model().clips;
  std::vector<NormalSource> sources;
  for (const NormalMode mode : kModes)
    sources.push_back({std::string(row(mode).name), character.data(Method::lbs, mode), {.mode = mode}});
  Row found{name, change.name, {}, {}, {}, predicted_normals(character)};
  found.rest =
      summary(one_rings(character.mesh(), character.surface()), character.mesh(), character.surface());
  const std::string rig = found.model + " " + found.change;
  measure_clips(rig, character, std::span(clips).first(std::min(kClips, clips.size())), kFrames, sources,
                bench.results);
  for (const NormalSource& source : sources)
    found.ways.push_back({source.options, mean_error(bench.results, rig, source.method, Truth::transported)});
  found.pays = cheapest_that_pays(found.ways);
  return found;
}

double mean(const Row& row, NormalMode mode) {
  return row.ways[static_cast<std::size_t>(std::find(std::begin(kModes), std::end(kModes), mode) - kModes)]
      .mean;
}

// The statements of the survey, over the rigs on which normals are off at all.
void state(const std::vector<Row>& rows, std::map<std::string, double>& values) {
  std::vector<double> standard, deform_share, smoothed_share, vectors_share, change, edges;
  double vectors_best = 0, deform_worse = 0, hit = 0, always = 0;
  for (const Row& row : rows) {
    if (!row.pays) continue;
    const double off = mean(row, NormalMode::standard), vectors = mean(row, NormalMode::deform_vectors);
    standard.push_back(off);
    deform_share.push_back(mean(row, NormalMode::deform) / off);
    smoothed_share.push_back(mean(row, NormalMode::smoothed) / off);
    vectors_share.push_back(vectors / off);
    change.push_back(row.rest.weight_change.q3);
    edges.push_back(row.rest.edge_length.q3);
    vectors_best += std::all_of(row.ways.begin(), row.ways.end(),
                                [&](const MeasuredWay& way) { return vectors <= way.mean; });
    deform_worse += mean(row, NormalMode::deform) > off;
    hit += row.predicted == *row.pays;
    always += *row.pays == NormalMode::deform_vectors;
  }
  const auto count = static_cast<double>(standard.size());
  values = {{"rigs", count},
            {"standard_deg", median(standard)},
            {"deform_share", median(deform_share)},
            {"smoothed_share", median(smoothed_share)},
            {"vectors_share", median(vectors_share)},
            {"vectors_best", vectors_best / count},
            {"deform_worse", deform_worse / count},
            {"hit_rate", hit / count},
            {"hit_over_always", hit / always},
            {"by_change_of_weight", rank_correlation(change, deform_share)},
            {"by_edge_length", rank_correlation(edges, deform_share)}};
}

void measure(Workbench& bench) {
  std::vector<Row> rows;
  for (const char* name : kAnimatedModels) {
    const Model original = load_model(repro::model(name));
    for (const Change& change : kChanges) {
      bench.progress("measuring " + std::string(name) + ", " + change.name);
      rows.push_back(measured(name, original, change, bench));
    }
  }
  std::string csv = "model,change,weight_change_q3,edge_length_q3";
  for (const NormalMode mode : kModes) csv.append(",").append(row(mode).name);
  csv += ",pays,predicted\n";
  for (const Row& r : rows) {
    char number[64];
    std::snprintf(number, sizeof number, ",%.5f,%.5f", r.rest.weight_change.q3, r.rest.edge_length.q3);
    csv += r.model + "," + r.change + number;
    for (const MeasuredWay& way : r.ways) {
      std::snprintf(number, sizeof number, ",%.4f", way.mean);
      csv += number;
    }
    csv.append(",")
        .append(r.pays ? row(*r.pays).name : "")
        .append(",")
        .append(row(r.predicted).name)
        .append("\n");
  }
  bench.write_table("survey.csv",
                    "Mean error in degrees against the transported truth, a row per rig of the sample", csv);
  state(rows, bench.results.values);
}

std::vector<Finding> findings() {
  std::vector<Finding> found;
  for (const char* name :
       {"rigs", "standard_deg", "deform_share", "smoothed_share", "vectors_share", "vectors_best",
        "deform_worse", "hit_rate", "hit_over_always", "by_change_of_weight", "by_edge_length"})
    found.push_back({name, [name](const Results& results) { return results.value(name); }});
  return found;
}

}  // namespace

Experiment make() {
  Experiment e;
  e.builds_on = {"tarini2014"};
  e.title = "A survey of rigs";
  e.says =
      "Nine animated models as they are, with one and two influences, with sharper and softer weights and with their edges split: how wrong normals are over all of them, which kind pays, and whether the weights around the vertices tell beforehand.";
  for (const char* model : kAnimatedModels) e.models.push_back({model});
  e.frames = 0;
  e.extra = measure;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::beyond::survey
