#include "skinlight/asset/assimp/detail/isolate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <vector>

#include "skinlight/core/error.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;
constexpr Limits kSmall = {256 * kMebibyte, 64 * kMebibyte, 1};

// Where memory ends, AddressSanitizer ends the process instead of throwing std::bad_alloc.
#if defined(__SANITIZE_ADDRESS__)
constexpr const char* kOutOfMemory = "the importer crashed";
#else
constexpr const char* kOutOfMemory = "needs more memory than a file of this size may";
#endif

void expect_error(const std::function<std::string()>& work, const std::string& reason,
                  const std::string& element = "") {
  try {
    run_isolated(work, kSmall);
    ADD_FAILURE() << "no error, expected: " << reason;
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), element);
    EXPECT_THAT(e.reason(), HasSubstr(reason));
  }
}

TEST(Isolate, AnswersAreBroughtBackWhole) {
  EXPECT_EQ(run_isolated([] { return std::string(); }, kSmall), "");
  EXPECT_EQ(run_isolated([] { return std::string("a\0b.", 4); }, kSmall), std::string("a\0b.", 4));
  const std::string large(30 * kMebibyte, 'x');  // far beyond what a pipe holds
  EXPECT_EQ(run_isolated([&] { return std::string(large); }, kSmall), large);
}

TEST(Isolate, TheCallerSeesNothingOfTheChild) {
  int changed = 0;
  run_isolated([&] { return std::to_string(++changed); }, kSmall);
  EXPECT_EQ(changed, 0);
}

TEST(Isolate, ErrorsKeepElementAndReason) {
  expect_error([]() -> std::string { throw InputError("", "mesh 3", "is bad"); }, "is bad", "mesh 3");
  expect_error([]() -> std::string { throw std::runtime_error("oh"); }, "oh");
  expect_error([]() -> std::string { throw 3; }, "unknown exception");
}

TEST(Isolate, CrashesAreErrors) {
  for (const int signal_number : {SIGSEGV, SIGABRT, SIGFPE})
    expect_error(
        [=] {
          std::raise(signal_number);
          return std::string("still here");
        },
        "the importer crashed");
  expect_error([]() -> std::string { _exit(0); }, "the importer crashed");
}

TEST(Isolate, HangsEnd) {
  expect_error(
      [] {
        volatile bool forever = true;
        while (forever) {
        }
        return std::string();
      },
      "needs more than 1 s");
  expect_error(
      [] {
        for (;;) pause();
        return std::string();
      },
      "needs more than 1 s");
}

TEST(Isolate, MemoryAndAnswersAreLimited) {
  expect_error(
      [] {
        std::vector<std::string> all;
        for (;;) all.push_back(std::string(16 * kMebibyte, 'x'));
        return std::string();
      },
      kOutOfMemory);
  expect_error([] { return std::string(65 * kMebibyte, 'x'); }, "answers with more");
}

}  // namespace
}  // namespace skinlight
