// Work on untrusted bytes in code that may crash, done by a child process: the caller gets an answer or an
// error.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace skinlight {

struct Limits {
  std::size_t memory = std::size_t{4} << 30;  // bytes that the child may map beyond what the caller has
  std::size_t answer = std::size_t{4} << 30;  // bytes of the answer
  int seconds = 60;                           // of processor time; four times as long by the clock
};

// What work() returns in a copy of this process that is thrown away: it may leak, crash or never end, and
// prints nothing. Throws InputError without a file: the child's own InputError or exception, or that it
// crashed, ran out of memory or time, or answered more than the limit.
std::string run_isolated(const std::function<std::string()>& work, const Limits& limits);

}  // namespace skinlight
