#include "repro/cli/outputs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "skinlight/core/error.h"

namespace skinlight::cli {

namespace fs = std::filesystem;

namespace {

// Where both are /dev/null, nobody reads what is mixed.
bool is_standard_output(const std::string& file) {
  if (file == "-") return true;
  struct stat named, out;
  return stat(file.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &out) == 0 && named.st_dev == out.st_dev &&
         named.st_ino == out.st_ino && (!S_ISCHR(out.st_mode) || isatty(STDOUT_FILENO) == 1);
}

[[noreturn]] void refuse_second(const std::string& output) {
  throw InputError(output, "", "is named for two outputs; write each to a file of its own");
}

int signal_pipe[2];

extern "C" void pass_on(int number) {
  const auto byte = static_cast<unsigned char>(number);
  [[maybe_unused]] const ssize_t written = write(signal_pipe[1], &byte, 1);
}

// A handler may not lock, so that the signal is passed to a thread that may.
void end_by_signal() {
  unsigned char number = 0;
  while (read(signal_pipe[0], &number, 1) != 1) {
  }
  abandon_outputs();
  std::signal(number, SIG_DFL);
  kill(getpid(), number);
}

}  // namespace

Outputs::Outputs(const std::vector<std::string>& files, std::vector<std::string> inputs)
    : inputs_(std::move(inputs)) {
  bool printed = true;  // on standard output
  for (const std::string& file : files) {
    if (file.empty()) continue;
    const std::string name = output_name(file);
    require_new(file);
    if (name == "-" && !printed) refuse_second(file);
    printed = printed && name != "-";
    files_.emplace(file, OutputFile(name));
  }
  if (!printed) reserve_standard_output();
}

void Outputs::add_folder(const std::string& folder) {
  if (folder.empty()) return;
  require_new(folder);
  folders_.emplace_back(folder);
}

void Outputs::require_new(const std::string& output) const {
  std::error_code missing;  // then they differ
  for (const std::string& input : inputs_)
    if (fs::equivalent(output, input, missing))
      throw InputError(output, "", "is the input; write to another file");
  for (const auto& [other, file] : files_)
    if (fs::path(output).lexically_normal() == fs::path(other).lexically_normal() ||
        fs::equivalent(output, other, missing))
      refuse_second(output);
}

void Outputs::write(const std::string& file, std::string_view bytes) {
  if (file.empty()) return;
  OutputFile& output = files_.at(file);
  output.fill(bytes);
  output.commit();
}

void Outputs::write_json(const std::string& file, const nlohmann::ordered_json& json) {
  write(file, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::string output_name(const std::string& file) { return is_standard_output(file) ? "-" : file; }

void leave_nothing_behind() {
  if (pipe2(signal_pipe, O_CLOEXEC) != 0) return;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction present = {}, mine = {};
    mine.sa_handler = pass_on;
    mine.sa_flags = SA_RESTART;
    sigaction(number, nullptr, &present);
    if (present.sa_handler != SIG_IGN) sigaction(number, &mine, nullptr);  // nohup ignores SIGHUP: let it
  }
  std::thread(end_by_signal).detach();
}

}  // namespace skinlight::cli
