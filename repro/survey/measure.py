"""One model of a survey: `skinlight check` and `skinlight compare`, within limits of time and memory.

usage: measure.py MODEL OUT.json OPTIONS

OPTIONS is JSON with program, methods, frames, seconds, memory_mb. OUT.json has `status` (measured, refused, crashed, timeout,
memory), `reason`, `check` and `compare`, by method. A model that is bad is a result; exit code 2 only where OUT.json cannot
be written.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# Exit codes of the program that come with JSON: nothing found, and findings or errors above a limit.
ANSWERS = (0, 1)
# Seconds on the wall for one of processor time: other jobs share the machine.
WALL = 8


def run(arguments, options):
    """(status, reason) of one call of the program."""

    def limit():
        bytes_allowed = options["memory_mb"] * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (bytes_allowed, bytes_allowed))
        resource.setrlimit(resource.RLIMIT_CPU, (options["seconds"], options["seconds"] + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        result = subprocess.run([options["program"], *arguments], capture_output=True, preexec_fn=limit,
                                timeout=WALL * options["seconds"])
    except subprocess.TimeoutExpired:
        return "timeout", f"took more than {WALL * options['seconds']} s"
    code = result.returncode
    lines = [line for line in result.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    last = lines[-1] if lines else ""
    if code in ANSWERS:
        return "measured", ""
    if code == 2:
        return "refused", last
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if code == -signal.SIGXCPU or code == -signal.SIGKILL and took >= options["seconds"]:
        return "timeout", f"took more than {options['seconds']} s of processor time"
    if code == -signal.SIGKILL:
        return "memory", "was killed, as a system does that has no memory left"
    if "bad_alloc" in last or "memory" in last:
        return "memory", f"took more than {options['memory_mb']} MB"
    return "crashed", f"ended with {code}" + (f": {last}" if last else "")


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def measure(model, options):
    """The result of one model."""
    result = {"status": "measured", "reason": "", "check": None, "compare": {}}
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        status, reason = run(["check", model, "--json", str(answer)], options)
        if answer.is_file():
            result["check"] = read(answer)
        if status != "measured":
            return {**result, "status": status, "reason": reason}
        for method in options["methods"]:
            answer.unlink(missing_ok=True)
            # Flat normals, which glTF has where a file has none, would show no smoothing at all.
            status, reason = run(["compare", model, "--method", method, "--frames", str(options["frames"]), "--threads", "1", "--rings",
                                  "--missing-normals", "smooth", "--json", str(answer)], options)
            if status != "measured" or not answer.is_file():
                return {**result, "status": status, "reason": f"{method}: {reason}"}
            result["compare"][method] = read(answer)
    return result


def main(arguments):
    if len(arguments) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    model, out, options = arguments[0], Path(arguments[1]), json.loads(arguments[2])
    result = measure(model, options)
    for part in [result["check"], *result["compare"].values()]:
        if part:
            part.pop("model", None)  # the same content may lie elsewhere
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        # One that was cut off may still be at work when the same job is run again.
        with tempfile.NamedTemporaryFile("w", dir=out.parent, prefix=f".{out.name}.", delete=False, encoding="utf-8") as part:
            part.write(json.dumps(result, sort_keys=True) + "\n")
        os.replace(part.name, out)
    except OSError as error:
        print(f"survey: {out}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
