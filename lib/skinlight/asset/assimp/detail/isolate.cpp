#include "skinlight/asset/assimp/detail/isolate.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <system_error>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

// An answer is one of these, the text, and kEnd: a child that dies half way has no end.
constexpr char kAnswer = 'A', kError = 'E';  // an error's text is its element, a zero and its reason
constexpr char kEnd = '.';

void write_all(int to, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = write(to, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    done += static_cast<std::size_t>(written);
  }
}

void set_limit(int resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(value, limit.rlim_max);
  setrlimit(resource, &limit);
}

// Bytes of address space in use: the sanitizers alone reserve terabytes, so a limit only makes sense on top.
std::size_t mapped_memory() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// A crash is to end the child at once: no handler of the program, no core file, no message.
void restrict_child(const Limits& limits) {
  for (int signal_number = 1; signal_number < NSIG; ++signal_number) std::signal(signal_number, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN);
  if (const int nowhere = open("/dev/null", O_RDWR); nowhere >= 0)
    for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds));
  if (const std::size_t mapped = mapped_memory(); mapped > 0) set_limit(RLIMIT_AS, mapped + limits.memory);
}

std::string answer_of(const std::function<std::string()>& work) {
  const auto error = [](const std::string& element, const std::string& reason) {
    return kError + element + '\0' + reason + kEnd;
  };
  try {
    return kAnswer + work() + kEnd;
  } catch (const InputError& e) {
    return error(e.element(), e.reason());
  } catch (const std::bad_alloc&) {
    return error("", "needs more memory than a file of this size may");
  } catch (const std::exception& e) {
    return error("", e.what());
  } catch (...) {
    return error("", "an unknown exception");
  }
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// Ends and buries the child whatever happens. Returns how it ended, as waitpid() states it.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  int end(bool now = true) {
    if (id_ < 0) return 0;
    if (now) kill(id_, SIGKILL);
    int status = 0;
    while (waitpid(id_, &status, 0) < 0)
      if (errno != EINTR) break;
    id_ = -1;
    return status;
  }

 private:
  pid_t id_;
};

enum class Outcome { complete, too_long, too_large };

Outcome receive(int from, const Limits& limits, std::string& answer) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(4) * limits.seconds;
  std::vector<char> block(1 << 16);
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Outcome::too_long;
    pollfd waiting{from, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<long long>(left, 1 << 30)));
    if (ready <= 0) continue;  // interrupted, or the deadline
    const ssize_t count = read(from, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Outcome::complete;
    answer.append(block.data(), static_cast<std::size_t>(count));
    if (answer.size() > limits.answer) return Outcome::too_large;
  }
}

std::string crash(int status) {
  if (WIFSIGNALED(status)) return std::string("crashed (") + strsignal(WTERMSIG(status)) + "): it is damaged";
  return "crashed: it is damaged";
}

}  // namespace

std::string run_isolated(const std::function<std::string()>& work, const Limits& limits) {
  const auto system_error = [](const char* what) {
    return InputError("", "", std::string(what) + ": " + std::generic_category().message(errno));
  };
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw system_error("cannot create a pipe");
  const Descriptor from(ends[0]);
  const pid_t id = fork();
  if (id == 0) {
    restrict_child(limits);
    write_all(ends[1], answer_of(work));
    _exit(0);
  }
  close(ends[1]);
  if (id < 0) throw system_error("cannot start a process");
  Child child(id);

  std::string answer;
  const Outcome outcome = receive(from.number(), limits, answer);
  const std::string importer = "the importer ";
  const std::string too_long = importer + "needs more than " + std::to_string(limits.seconds) + " s for it";
  if (outcome == Outcome::too_long) throw InputError("", "", too_long);
  if (outcome == Outcome::too_large)
    throw InputError("", "", importer + "answers with more than a file of this size may hold");
  const int status = child.end(false);
  if (answer.size() < 2 || answer.back() != kEnd) {
    const bool out_of_time = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
    throw InputError("", "", out_of_time ? too_long : importer + crash(status));
  }
  answer.pop_back();
  const char kind = answer.front();
  answer.erase(0, 1);
  if (kind == kAnswer) return answer;
  const std::size_t zero = std::min(answer.find('\0'), answer.size() - 1);
  throw InputError("", answer.substr(0, zero), answer.substr(zero + 1));
}

}  // namespace skinlight
