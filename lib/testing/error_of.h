// What a call says that is refused.
#pragma once

#include <string>

#include "skinlight/core/error.h"

namespace skinlight::test_errors {

// Of the InputError that it throws; "accepted" where it throws none.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace skinlight::test_errors
