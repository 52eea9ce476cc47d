// One function per reader that takes any bytes: libFuzzer feeds them what it invents, replay_test.cpp what
// broke them once.
#pragma once

#include <span>
#include <string_view>

namespace skinlight::fuzz {

// Reads the bytes. Returns quietly when the reader accepts them, with a sound result, or throws InputError;
// anything else is a mistake of the reader: another exception passes through, an unsound result throws
// std::logic_error.
using Target = void (*)(std::string_view bytes);

struct NamedTarget {
  const char* name;  // its folder below corpus/, and its program fuzz_<name>
  Target run;
};

std::span<const NamedTarget> targets();

}  // namespace skinlight::fuzz
