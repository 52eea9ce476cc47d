// Errors about data that come from outside. They name the file, the element and the reason; programs turn
// them into one line and exit code 2. Mistakes of our own are asserts, never these.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace skinlight {

// A file, mesh, rig, pose or option that cannot be used.
class InputError : public std::runtime_error {
 public:
  InputError(std::string file, std::string element, std::string reason)
      : std::runtime_error(join(file, element, reason)),
        file_(std::move(file)),
        element_(std::move(element)),
        reason_(std::move(reason)) {}

  const std::string& file() const { return file_; }
  const std::string& element() const { return element_; }
  const std::string& reason() const { return reason_; }

  // The same error, told of `file` when it does not name one yet.
  InputError in_file(const std::string& file) const {
    return file_.empty() ? InputError(file, element_, reason_) : *this;
  }

 private:
  static std::string join(const std::string& file, const std::string& element, const std::string& reason) {
    std::string text;
    if (!file.empty()) text += file + ": ";
    if (!element.empty()) text += element + ": ";
    return text + reason;
  }
  std::string file_, element_, reason_;
};

// Something the reader repaired and the user should know: what, where first, and how often.
struct Warning {
  std::string element;  // the first one met, as "vertex 12"
  std::string reason;
  int count = 1;
};

}  // namespace skinlight
