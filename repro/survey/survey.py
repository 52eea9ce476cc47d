"""The models of a survey: found, named by their content, and told apart from what cannot be read."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Endings of the files that `skinlight compare` reads.
ENDINGS = {".gltf", ".glb", ".fbx", ".dae", ".md5mesh", ".x"}


class SurveyError(Exception):
    """One line: what cannot be surveyed, and why."""


def listed(value):
    """A configuration value that is a list in YAML and separated by commas on the command line."""
    return [str(part) for part in (value if isinstance(value, list) else str(value).split(",")) if str(part)]


def find_models(places, list_file=""):
    """Every model below `places` and those named in `list_file`, sorted; hidden folders are not searched."""
    places = [Path(place) for place in places]
    if list_file:
        try:
            places += [Path(line) for line in Path(list_file).read_text(encoding="utf-8").splitlines() if line.strip()]
        except OSError as error:
            raise SurveyError(f"{list_file}: {error.strerror}") from None
    found = set()
    for place in places:
        if place.is_dir():
            for folder, inside, files in os.walk(place):
                inside[:] = sorted(name for name in inside if not name.startswith("."))
                found.update(Path(folder) / name for name in files if Path(name).suffix.lower() in ENDINGS)
        elif place.exists():
            found.add(place)
        else:
            raise SurveyError(f"{place}: no such file or folder")
    if not found:
        raise SurveyError(f"no model ({', '.join(sorted(ENDINGS))}) in {', '.join(map(str, places)) or 'an empty list'}")
    return sorted(found)


def files_of(path):
    """A model's file, and for .gltf the buffers beside it."""
    files = [path]
    if path.suffix.lower() == ".gltf":
        try:
            for buffer in json.loads(path.read_bytes()).get("buffers", []):
                beside = path.parent / str(buffer.get("uri", ""))
                if not str(buffer.get("uri", "data:")).startswith("data:") and beside.is_file():
                    files.append(beside)
        except (ValueError, AttributeError, TypeError):
            pass  # damaged JSON: the program says what is wrong with it
    return files


def digest(path):
    """SHA-256 of a model: its bytes, and for .gltf those of the buffers beside it; None where it cannot be read."""
    sha = hashlib.sha256()
    try:
        for file in files_of(path):
            sha.update(file.read_bytes())
    except OSError:
        return None
    return sha.hexdigest()


class Digests:
    """Those of files that are as they were: every job of a cluster reads the Snakefile again, and no model for it."""

    def __init__(self, path):
        self.path, self.known, self.new = path, {}, False
        try:
            self.known = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            pass

    def of(self, path):
        """digest(path), from the last time when size and time of every file it is of are the same."""
        known = self.known.get(str(path))
        if known and [self._state(Path(file)) for file in known["files"]] == known["states"]:
            return known["sha256"]
        found = digest(path)
        if found is not None:
            files = files_of(path)
            self.known[str(path)] = {"files": [str(file) for file in files], "states": [self._state(file) for file in files],
                                     "sha256": found}
            self.new = True
        return found

    @staticmethod
    def _state(path):
        try:
            state = path.stat()
        except OSError:
            return None
        return [state.st_size, state.st_mtime_ns]

    def keep(self):
        if self.new:
            write(self.path, json.dumps(self.known, sort_keys=True) + "\n")


def write(path, text):
    """Whole or not at all, whoever else writes it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}.", delete=False, encoding="utf-8") as part:
            part.write(text)
        os.replace(part.name, path)
    except OSError as error:
        raise SurveyError(f"{path}: {error.strerror}") from None


class Survey:
    """What the Snakefile asks for."""

    def __init__(self, config):
        here = Path(__file__).resolve().parent
        self.python = sys.executable
        self.measure, self.gather = str(here / "measure.py"), str(here / "gather.py")
        self.page = [str(here / "gather.py"), str(here / "survey.html")]
        self.out = Path(config["out"])
        self._find(config)
        self.minutes = max(1, -(-8 * int(config["seconds"]) // 60))

    def _find(self, config):
        program = Path(config["program"]).resolve()
        if not os.access(program, os.X_OK):
            raise SurveyError(f"{program}: no such program; build it first")
        digests = Digests(self.out / "digests.json")
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
        options = {"program": str(program), "version": version, "build": digests.of(program),
                   "methods": listed(config["methods"]), "frames": int(config["frames"]),
                   "seconds": int(config["seconds"]), "memory_mb": int(config["memory_mb"])}
        self.options = json.dumps(options, sort_keys=True)
        named = json.dumps({"measure": digests.of(Path(self.measure)), **{
            name: options[name] for name in ("build", "methods", "frames", "seconds", "memory_mb")}}, sort_keys=True)
        self._jobs, self._rows = {}, []
        for path in find_models(listed(config["models"]), config.get("list", "")):
            content = digests.of(path)
            job = content and hashlib.sha256((content + named).encode()).hexdigest()[:24]
            self._rows.append({"model": str(path), "sha256": content, "job": job,
                               "same_as": self._jobs.get(job) if job else None})
            if job:
                self._jobs.setdefault(job, str(path))
        digests.keep()

    def path(self, name):
        return str(self.out / name)

    def model(self, job):
        return self._jobs[job]

    def results(self):
        return [self.path(f"models/{job}.json") for job in self._jobs]

    def listing(self):
        """Written for the last job: a command line would be too short for it."""
        path = self.out / "listing.json"
        text = json.dumps({"options": json.loads(self.options), "rows": self._rows}, indent=1, sort_keys=True) + "\n"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write(path, text)
        return str(path)


def main(arguments):
    """Says in one line what cannot be surveyed: `survey.py name=value ...`, the names of config.yaml."""
    import yaml

    config = yaml.safe_load(Path(__file__).with_name("config.yaml").read_text(encoding="utf-8"))
    config.update(argument.split("=", 1) for argument in arguments)
    try:
        survey = Survey(config)
        survey.listing()
    except SurveyError as error:
        print(f"survey: {error}", file=sys.stderr)
        return 2
    print(f"survey: {len(survey._rows)} models, {len(survey._jobs)} of them different")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
