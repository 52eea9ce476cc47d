// For tests on real models.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "testing/models_folder.h"

namespace skinlight::test_models {

// Without models its tests are skipped; with SKINLIGHT_REQUIRE_MODELS=1 they fail.
class RealModels : public testing::Test {
 protected:
  void SetUp() override {
    if (std::filesystem::is_directory(folder())) return;
    const char* required = std::getenv("SKINLIGHT_REQUIRE_MODELS");
    if (required != nullptr && std::string(required) == "1") FAIL() << "no models at " << folder();
    GTEST_SKIP() << "no models at " << folder();
  }
};

}  // namespace skinlight::test_models
