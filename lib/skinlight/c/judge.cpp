// Judging other programs' normals.
#include "skinlight/audit/judge.h"

#include "skinlight/c/detail/call.h"
#include "skinlight/c/detail/errors.h"
#include "skinlight/c/detail/posing.h"

using namespace skinlight;

// What skinlight.h calls a report.
struct skinlight_report {
  Judgement judgement;
  std::string text;
};

namespace {

JudgeInput judge_input(const skinlight_judge_input& in) {
  const skinlight_rig_arrays rig = c::own_version(&c::needed(in.rig, "rig"), "rig");
  JudgeInput out;
  out.rig = c::rig_arrays(rig);
  out.morphs = c::morph_targets(rig);
  out.morph_weights = c::morph_weights(in.morph_weights, out.morphs.size());
  out.pose = c::transforms(in.pose, rig.bone_count);
  out.posed = c::vectors(in.posed_positions, rig.vertex_count, "posed positions");
  c::require_array(in.normals, "normals");
  out.normals = c::vectors(in.normals, rig.vertex_count, "normals");
  out.tangents = c::vectors(in.tangents, rig.vertex_count, "tangents", 4);
  out.sides = c::signs(in.tangents, rig.vertex_count, "tangents");
  out.method = c::method_of(in.method);
  out.threads = c::threads_of(in.threads);
  if (in.tolerance != 0) out.tolerance = in.tolerance;
  if (in.influences < 0)
    throw InputError("", "influences", std::to_string(in.influences) + " is out of range");
  out.influences = in.influences;
  if (in.slots < 0 || in.slots > kMaxSlots)
    throw InputError("", "slots", std::to_string(in.slots) + " is out of range");
  const int kept = in.influences == 0 ? out.rig.influences : std::min(in.influences, out.rig.influences);
  if (const int least = std::min(kept, kMaxSlots); in.slots != 0 && in.slots < least)
    throw InputError("", "slots",
                     std::to_string(in.slots) + " is less than the " + std::to_string(least) +
                         " influences per vertex; limit the influences first");
  if (in.slots != 0) out.slots = in.slots;
  return out;
}

// nullptr for what was not judged.
const Judged* judged(const skinlight_report* report, std::int32_t subject) {
  if (!report) return nullptr;
  if (subject == SKINLIGHT_NORMALS) return &report->judgement.normals;
  if (subject == SKINLIGHT_TANGENTS && report->judgement.has_tangents) return &report->judgement.tangents;
  return nullptr;
}

std::int32_t constant(ExplanationKind kind) {
  switch (kind) {
    case ExplanationKind::correct:
      return SKINLIGHT_CORRECT;
    case ExplanationKind::approximation:
      return SKINLIGHT_APPROXIMATION;
    case ExplanationKind::mistake:
      break;
  }
  return SKINLIGHT_MISTAKE;
}

std::int32_t constant(LengthFinding finding) {
  switch (finding) {
    case LengthFinding::unit:
      return SKINLIGHT_UNIT;
    case LengthFinding::constant:
      return SKINLIGHT_CONSTANT;
    case LengthFinding::not_normalised:
      return SKINLIGHT_NOT_NORMALISED;
    case LengthFinding::unexplained:
      break;
  }
  return SKINLIGHT_UNEXPLAINED_LENGTHS;
}

// Throws BadCall for what was not judged.
const Judged& judged_of(const skinlight_report* report, std::int32_t subject) {
  const Judged* of = judged(&c::needed(report, "report"), subject);
  if (!of) throw c::BadCall{"subject " + std::to_string(subject) + " was not judged"};
  return *of;
}

}  // namespace

extern "C" {

skinlight_status skinlight_judge(const skinlight_judge_input* input, skinlight_report** report) {
  if (report) *report = nullptr;
  return c::call([&] {
    c::needed(report, "report");
    Judgement judgement = judge(judge_input(c::own_version(&c::needed(input, "input"), "input")));
    std::string text = judgement_text(judgement);
    *report = new skinlight_report{std::move(judgement), std::move(text)};
  });
}

void skinlight_report_free(skinlight_report* report) { delete report; }

const char* skinlight_report_text(const skinlight_report* report) {
  return report ? report->text.c_str() : nullptr;
}

skinlight_status skinlight_report_errors(const skinlight_report* report, std::int32_t subject,
                                         std::int32_t truth, skinlight_errors* errors) {
  return c::call([&] {
    const Judged& of = judged_of(report, subject);
    const bool recomputed = truth == SKINLIGHT_RECOMPUTED && subject == SKINLIGHT_NORMALS;
    if (truth != SKINLIGHT_TRANSPORTED && !recomputed)
      throw c::BadCall{"truth " + std::to_string(truth) + " is not known of the subject"};
    c::give(c::errors_of(recomputed ? of.recomputed : of.transported), errors, "errors");
  });
}

skinlight_status skinlight_report_verdict(const skinlight_report* report, std::int32_t subject,
                                          skinlight_verdict* verdict) {
  return c::call([&] {
    const Judged& of = judged_of(report, subject);
    const Verdict& v = of.diagnosis.verdict;
    skinlight_verdict own = {};
    own.kind = v.explained ? constant(v.kind) : SKINLIGHT_UNEXPLAINED;
    own.clear = v.clear;
    own.fit = static_cast<std::uint64_t>(v.named);
    own.next = v.next;
    own.undecided = v.undecided;
    own.lengths = constant(of.lengths.finding);
    own.min_length = of.lengths.min;
    own.max_length = of.lengths.max;
    if (subject == SKINLIGHT_TANGENTS)
      own.wrong_signs = static_cast<std::uint64_t>(report->judgement.sides.wrong);
    c::give(own, verdict, "verdict");
  });
}

std::size_t skinlight_report_fit_count(const skinlight_report* report, std::int32_t subject) {
  const Judged* of = judged(report, subject);
  return of ? of->diagnosis.fits.size() : 0;
}

skinlight_status skinlight_report_fit(const skinlight_report* report, std::int32_t subject, std::size_t index,
                                      skinlight_fit* fit) {
  return c::call([&] {
    const Diagnosis& d = judged_of(report, subject).diagnosis;
    if (index >= d.fits.size()) throw c::BadCall{"fit " + std::to_string(index) + " does not exist"};
    const Fit& f = d.fits[index];
    const std::vector<int>& same = d.verdict.same_here;
    skinlight_fit own = {};
    own.id = f.id.c_str();
    own.what = f.what.c_str();
    own.advice = f.advice.c_str();
    own.kind = constant(f.kind);
    own.same = std::find(same.begin(), same.end(), static_cast<int>(index)) != same.end();
    own.mean = f.mean;
    own.p95 = f.p95;
    own.max = f.max;
    own.share = f.share;
    c::give(own, fit, "fit");
  });
}

}  // extern "C"
