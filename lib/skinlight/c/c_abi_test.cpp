// The binary interface against its record, abi.txt: what the library exports, how large the structs are and where
// their members lie. Programs and bindings rely on it: lines are added, never changed,
// but for the sizes of structs, which grow at their end.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "skinlight.h"
#include "skinlight/core/file.h"

namespace skinlight {
namespace {

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 4096> block;
  while (std::fgets(block.data(), block.size(), pipe.get())) output += block.data();
  return output;
}

std::vector<std::string> sorted_lines(const std::string& text, const std::string& beginning) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);)
    if (line.rfind(beginning, 0) == 0) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string record() { return read_file(SKINLIGHT_C_SOURCE_DIR "/abi.txt"); }

TEST(CAbi, ExportsTheFunctionsOfTheRecord) {
  std::vector<std::string> exported;
  std::istringstream symbols(output_of(SKINLIGHT_NM " -D --defined-only " SKINLIGHT_C_LIBRARY));
  for (std::string address, kind, name; symbols >> address >> kind >> name;)
    exported.push_back("function " + name);
  std::sort(exported.begin(), exported.end());
  EXPECT_EQ(exported, sorted_lines(record(), "function "));
}

TEST(CAbi, StructsLieAsInTheRecord) {
  static_assert(sizeof(void*) == 8, "the record is that of 64-bit machines");
  std::string found;
  const auto line = [&](const char* what, std::size_t number) {
    found += std::string("struct ") + what + " " + std::to_string(number) + "\n";
  };
#define SIZE(type) line(#type, sizeof(type))
#define PLACE(type, member) line(#type "." #member, offsetof(type, member))
  SIZE(skinlight_array);
  PLACE(skinlight_array, type);
  SIZE(skinlight_output);
  PLACE(skinlight_output, type);
  SIZE(skinlight_rig_arrays);
  PLACE(skinlight_rig_arrays, positions);
  PLACE(skinlight_rig_arrays, uv);
  PLACE(skinlight_rig_arrays, morphs);
  SIZE(skinlight_rig_options);
  PLACE(skinlight_rig_options, threads);
  PLACE(skinlight_rig_options, missing_normals);
  SIZE(skinlight_rig_info);
  PLACE(skinlight_rig_info, warning_count);
  SIZE(skinlight_clip_info);
  PLACE(skinlight_clip_info, duration);
  SIZE(skinlight_bone_info);
  PLACE(skinlight_bone_info, parent);
  SIZE(skinlight_morph_info);
  PLACE(skinlight_morph_info, vertex_count);
  SIZE(skinlight_warning);
  PLACE(skinlight_warning, count);
  SIZE(skinlight_record_info);
  PLACE(skinlight_record_info, flat_vertices);
  SIZE(skinlight_skin_options);
  PLACE(skinlight_skin_options, guard_k);
  PLACE(skinlight_skin_options, morph_weights);
  SIZE(skinlight_batch_options);
  PLACE(skinlight_batch_options, threads);
  SIZE(skinlight_skin_output);
  PLACE(skinlight_skin_output, normals);
  SIZE(skinlight_truth_output);
  PLACE(skinlight_truth_output, areas);
  PLACE(skinlight_truth_output, morph_weights);
  SIZE(skinlight_comparison);
  PLACE(skinlight_comparison, means);
  PLACE(skinlight_comparison, max_seconds);
  SIZE(skinlight_errors);
  PLACE(skinlight_errors, flips);
  SIZE(skinlight_check_options);
  PLACE(skinlight_check_options, threads);
  PLACE(skinlight_check_options, missing_normals);
  SIZE(skinlight_finding);
  PLACE(skinlight_finding, size);
  SIZE(skinlight_judge_input);
  PLACE(skinlight_judge_input, normals);
  PLACE(skinlight_judge_input, tolerance);
  PLACE(skinlight_judge_input, slots);
  PLACE(skinlight_judge_input, morph_weights);
  PLACE(skinlight_judge_input, influences);
  SIZE(skinlight_fit);
  PLACE(skinlight_fit, share);
  SIZE(skinlight_verdict);
  PLACE(skinlight_verdict, wrong_signs);
  SIZE(skinlight_bake_options);
  PLACE(skinlight_bake_options, threads);
  PLACE(skinlight_bake_options, missing_normals);
  PLACE(skinlight_bake_options, method);
  SIZE(skinlight_bake_report);
  PLACE(skinlight_bake_report, overflow_vertices);
#undef SIZE
#undef PLACE
  EXPECT_EQ(sorted_lines(found, "struct "), sorted_lines(record(), "struct "));
}

}  // namespace
}  // namespace skinlight
