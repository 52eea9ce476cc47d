// Environment variables as a test wants them.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace skinlight::test_environment {

// While it lives the variable has that value, or none; then what it had before.
class Variable {
 public:
  explicit Variable(const char* name, const std::optional<std::string>& value = {}) : name_(name) {
    if (const char* found = std::getenv(name)) before_ = found;
    set(value);
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

  const std::optional<std::string>& before() const { return before_; }
  void set(const std::optional<std::string>& value) const {
    if (value)
      setenv(name_, value->c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace skinlight::test_environment
