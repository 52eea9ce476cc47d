#include "skinlight/c/skinlight.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "skinlight/audit/judge.h"

// What skinlight.h calls a report.
struct skinlight_report {
  skinlight::Judgement judgement;
  std::string text;
};

namespace {

using namespace skinlight;

// A call that breaks the header's rules, as opposed to data that cannot be used.
struct BadCall {
  const char* what;
};

void put(const char* text, char* message, std::size_t size) {
  if (!message || size == 0) return;
  const std::size_t kept = std::min(std::strlen(text), size - 1);
  std::memcpy(message, text, kept);
  message[kept] = '\0';
}

// Fills what the caller's version of the struct has room for.
template <class T>
skinlight_status give(T value, T* out) {
  if (!out || out->struct_size < sizeof(std::size_t)) return SKINLIGHT_BAD_CALL;
  value.struct_size = out->struct_size;
  std::memcpy(static_cast<void*>(out), static_cast<const void*>(&value),
              std::min(out->struct_size, sizeof value));
  return SKINLIGHT_OK;
}

// Sizes beyond this are slips or uninitialised memory; below it no product of ours overflows.
constexpr std::size_t kMostEntries = std::numeric_limits<int>::max() / 16;

void require_size(std::size_t count, const char* what) {
  if (count == 0 || count > kMostEntries)
    throw InputError("", what, std::to_string(count) + " is out of range");
}

template <class T>
const T* needed(const T* array, const char* what) {
  if (!array) throw InputError("", what, "is NULL");
  return array;
}

// The first three of `width` floats a row; nothing for NULL.
std::vector<Vec3d> rows(const float* array, std::size_t count, std::size_t width = 3) {
  std::vector<Vec3d> v;
  for (std::size_t i = 0; array && i < count; ++i)
    v.emplace_back(array[width * i], array[width * i + 1], array[width * i + 2]);
  return v;
}

std::vector<double> fourth(const float* array, std::size_t count) {
  std::vector<double> w;
  for (std::size_t i = 0; array && i < count; ++i) w.push_back(array[4 * i + 3]);
  return w;
}

// An index that no int holds exists nowhere either.
int index_of(std::uint32_t index) {
  return static_cast<int>(std::min<std::uint32_t>(index, std::numeric_limits<int>::max()));
}

void copy_rig(const skinlight_judge_input& in, JudgeInput& out) {
  require_size(in.vertex_count, "vertex_count");
  require_size(in.face_count, "face_count");
  require_size(in.bone_count, "bone_count");
  require_size(in.influences, "influences");
  const std::size_t slots = in.vertex_count * in.influences;
  require_size(slots, "vertex_count * influences");
  out.rig.influences = static_cast<int>(in.influences);
  out.rig.positions = rows(needed(in.positions, "positions"), in.vertex_count);
  const std::uint32_t* faces = needed(in.faces, "faces");
  for (std::size_t f = 0; f < in.face_count; ++f)
    out.rig.faces.push_back({index_of(faces[3 * f]), index_of(faces[3 * f + 1]), index_of(faces[3 * f + 2])});
  needed(in.bones, "bones");
  std::transform(in.bones, in.bones + slots, std::back_inserter(out.rig.bones), index_of);
  needed(in.weights, "weights");
  out.rig.weights.assign(in.weights, in.weights + slots);
  needed(in.pose, "pose");
  for (std::size_t b = 0; b < in.bone_count; ++b) {
    const float* m = in.pose + 12 * b;
    const auto column = [m](std::size_t c) { return Vec3d(m[c], m[4 + c], m[8 + c]); };
    out.pose.emplace_back(column(0), column(1), column(2), column(3));
  }
}

Method method(std::int32_t constant) {
  switch (constant) {
    case SKINLIGHT_LBS:
      return Method::lbs;
    case SKINLIGHT_DQS:
      return Method::dqs;
    case SKINLIGHT_CRS:
      return Method::crs;
    case SKINLIGHT_SBS:
      return Method::sbs;
    case SKINLIGHT_LOG:
      return Method::log;
    default:
      throw InputError("", "method", std::to_string(constant) + " is unknown");
  }
}

JudgeInput judge_input(const skinlight_judge_input& in) {
  JudgeInput out;
  copy_rig(in, out);
  const std::size_t count = in.vertex_count;
  out.rig.rest_normals = rows(in.rest_normals, count);
  out.rig.rest_tangents = rows(in.rest_tangents, count, 4);
  out.rig.rest_sides = fourth(in.rest_tangents, count);
  for (std::size_t v = 0; in.uv && v < count; ++v) out.rig.uv.emplace_back(in.uv[2 * v], in.uv[2 * v + 1]);
  out.posed = rows(in.posed_positions, count);
  out.normals = rows(needed(in.normals, "normals"), count);
  out.tangents = rows(in.tangents, count, 4);
  out.sides = fourth(in.tangents, count);
  out.method = method(in.method);
  if (in.threads < 0) throw InputError("", "threads", std::to_string(in.threads) + " is negative");
  out.threads = in.threads;
  if (in.tolerance != 0) out.tolerance = in.tolerance;
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

}  // namespace

extern "C" {

const char* skinlight_version(void) { return SKINLIGHT_VERSION; }

skinlight_status skinlight_judge(const skinlight_judge_input* input, skinlight_report** report, char* message,
                                 std::size_t message_size) {
  put("", message, message_size);
  if (report) *report = nullptr;
  try {
    if (!report) throw BadCall{"report is NULL"};
    if (!input) throw BadCall{"input is NULL"};
    // No program knows less than the first version of the struct.
    if (input->struct_size < sizeof *input) throw BadCall{"input: struct_size is not that of the struct"};
    Judgement judgement = judge(judge_input(*input));
    std::string text = judgement_text(judgement);
    *report = new skinlight_report{std::move(judgement), std::move(text)};
    return SKINLIGHT_OK;
  } catch (const BadCall& e) {
    put(e.what, message, message_size);
    return SKINLIGHT_BAD_CALL;
  } catch (const InputError& e) {
    put(e.what(), message, message_size);
    return SKINLIGHT_BAD_INPUT;
  } catch (const std::bad_alloc&) {
    put("out of memory", message, message_size);
    return SKINLIGHT_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    put(e.what(), message, message_size);
  } catch (...) {
    put("unknown error", message, message_size);
  }
  return SKINLIGHT_INTERNAL;
}

void skinlight_report_free(skinlight_report* report) { delete report; }

const char* skinlight_report_text(const skinlight_report* report) {
  return report ? report->text.c_str() : nullptr;
}

skinlight_status skinlight_report_errors(const skinlight_report* report, std::int32_t subject,
                                         std::int32_t truth, skinlight_errors* out) {
  const Judged* of = judged(report, subject);
  const bool recomputed = truth == SKINLIGHT_RECOMPUTED && subject == SKINLIGHT_NORMALS;
  if (!of || (truth != SKINLIGHT_TRANSPORTED && !recomputed)) return SKINLIGHT_BAD_CALL;
  const NormalError& e = recomputed ? of->recomputed : of->transported;
  skinlight_errors value = {};
  value.mean = e.mean;
  value.rms = e.rms;
  value.p95 = e.p95;
  value.p99 = e.p99;
  value.max = e.max;
  value.worst_vertex = static_cast<std::uint64_t>(e.worst_vertex);
  value.flips = static_cast<std::uint64_t>(e.flips);
  return give(value, out);
}

skinlight_status skinlight_report_verdict(const skinlight_report* report, std::int32_t subject,
                                          skinlight_verdict* out) {
  const Judged* of = judged(report, subject);
  if (!of) return SKINLIGHT_BAD_CALL;
  const Verdict& v = of->diagnosis.verdict;
  skinlight_verdict value = {};
  value.kind = v.explained ? constant(v.kind) : SKINLIGHT_UNEXPLAINED;
  value.clear = v.clear;
  value.fit = static_cast<std::uint64_t>(v.named);
  value.next = v.next;
  value.undecided = v.undecided;
  value.lengths = constant(of->lengths.finding);
  value.min_length = of->lengths.min;
  value.max_length = of->lengths.max;
  if (subject == SKINLIGHT_TANGENTS)
    value.wrong_signs = static_cast<std::uint64_t>(report->judgement.sides.wrong);
  return give(value, out);
}

std::size_t skinlight_report_fit_count(const skinlight_report* report, std::int32_t subject) {
  const Judged* of = judged(report, subject);
  return of ? of->diagnosis.fits.size() : 0;
}

skinlight_status skinlight_report_fit(const skinlight_report* report, std::int32_t subject, std::size_t index,
                                      skinlight_fit* out) {
  const Judged* of = judged(report, subject);
  if (!of || index >= of->diagnosis.fits.size()) return SKINLIGHT_BAD_CALL;
  const Fit& f = of->diagnosis.fits[index];
  const std::vector<int>& same = of->diagnosis.verdict.same_here;
  skinlight_fit value = {};
  value.id = f.id.c_str();
  value.what = f.what.c_str();
  value.advice = f.advice.c_str();
  value.kind = constant(f.kind);
  value.same = std::find(same.begin(), same.end(), static_cast<int>(index)) != same.end();
  value.mean = f.mean;
  value.p95 = f.p95;
  value.max = f.max;
  value.share = f.share;
  return give(value, out);
}

}  // extern "C"
