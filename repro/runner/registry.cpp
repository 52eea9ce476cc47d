#include "repro/beyond/beyond.h"
#include "repro/bittner2019/bittner2019.h"
#include "repro/merry2006/merry2006.h"
#include "repro/slides/slides.h"
#include "repro/tarini2014/tarini2014.h"
#include "skinlight/core/names.h"

namespace skinlight::repro {

const std::vector<Experiment>& experiments() {
  // In the papers' order, one per line.
  // clang-format off
  static const std::vector<Experiment> all = {
      fig1_skirt(),
      fig2_pill(),
      fig3_averaging(),
      fig4_cancellation(),
      fig5_flips(),
      fig6_lbs(),
      fig7_nmax2(),
      fig8_dqs(),
      table1_cost(),
      characters(),
      text_claims(),

      merry_normals(),

      bittner_fig1_candywrapper(),
      bittner_fig2_artefacts(),
      bittner_fig4_blending(),
      bittner_fig5_tail_bulge(),
      bittner_fig6_cuboid(),
      bittner_fig7_wolf(),
      bittner_fig8_cor_time(),
      bittner_claims(),
      bittner_table2_fps(),
      bittner_table_memory(),

      morph_targets(),
      interpolation(),
      dual_numbers(),
      antipodality(),
      blending_gallery(),

      beyond_exact_dqs(),
      beyond_exact_crs(),
      beyond_exact_sbs_log(),
      beyond_coarse_meshes(),
      beyond_refinement(),
      beyond_quantised(),
      beyond_slots(),
  };
  // clang-format on
  return all;
}

const Experiment& experiment(const std::string& id) {
  return row_named(experiments(), id, "experiment",
                   [](const Experiment& e) { return std::string_view(e.id); });
}

}  // namespace skinlight::repro
