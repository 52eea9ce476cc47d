// Real models, which are no part of the repository.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace skinlight::test_models {

// What SKINLIGHT_MODELS names, laid out as ci/fetch_models.sh does; empty when it is not set.
inline std::filesystem::path folder() {
  const char* named = std::getenv("SKINLIGHT_MODELS");
  return named != nullptr ? named : "";
}

}  // namespace skinlight::test_models
