// A workbench of an experiment's own code that keeps what is written, for tests of what experiments share.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "repro/studio.h"

namespace skinlight::repro::test_bench {

class KeptBench {
 public:
  struct Picture {
    std::string caption, model;  // model: empty where it was written as one of the experiment's own
    Image8 image;
  };

  Studio studio{Renderer::llvmpipe};
  Results results;
  std::map<std::string, Picture> pictures;                            // by file
  std::map<std::string, std::pair<std::string, std::string>> tables;  // caption and text, by file

  // Refers to this.
  Workbench bench() {
    const auto keep = [this](const std::string& file, const std::string& caption, const std::string& model,
                             const Image8& image) {
      if (!pictures.emplace(file, Picture{caption, model, image}).second)
        ADD_FAILURE() << file << " is written twice";
    };
    return {studio,
            1,
            silent_,
            results,
            [this](const std::string& file, const std::string& caption, const std::string& csv) {
              if (!tables.emplace(file, std::pair(caption, csv)).second)
                ADD_FAILURE() << file << " is written twice";
            },
            [keep](const std::string& file, const std::string& caption, const Image8& image) {
              keep(file, caption, "", image);
            },
            keep,
            {}};
  }

 private:
  const std::function<void(const std::string&)> silent_ = [](const std::string&) {};
};

}  // namespace skinlight::repro::test_bench
