"""The models of a survey: found, named by their content, and told apart from what cannot be read."""

import hashlib
import json
import os
import subprocess
import sys
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


def digest(path):
    """SHA-256 of a model: its bytes, and for .gltf those of the buffers beside it; None where it cannot be read."""
    sha = hashlib.sha256()
    try:
        data = path.read_bytes()
        sha.update(data)
        if path.suffix.lower() == ".gltf":
            for buffer in json.loads(data).get("buffers", []):
                beside = path.parent / str(buffer.get("uri", ""))
                if not str(buffer.get("uri", "data:")).startswith("data:") and beside.is_file():
                    sha.update(beside.read_bytes())
    except OSError:
        return None
    except (ValueError, AttributeError, TypeError):
        pass  # damaged JSON: the program says what is wrong with it
    return sha.hexdigest()


class Survey:
    """What the Snakefile asks for."""

    def __init__(self, config):
        here = Path(__file__).resolve().parent
        self.python = sys.executable
        self.measure, self.gather = str(here / "measure.py"), str(here / "gather.py")
        self.out = Path(config["out"])
        self._find(config)
        self.minutes = max(1, -(-8 * int(config["seconds"]) // 60))

    def _find(self, config):
        program = Path(config["program"]).resolve()
        if not os.access(program, os.X_OK):
            raise SurveyError(f"{program}: no such program; build it first")
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
        options = {"program": str(program), "version": version, "build": hashlib.sha256(program.read_bytes()).hexdigest(),
                   "methods": listed(config["methods"]), "frames": int(config["frames"]),
                   "seconds": int(config["seconds"]), "memory_mb": int(config["memory_mb"])}
        self.options = json.dumps(options, sort_keys=True)
        named = json.dumps({name: options[name] for name in ("build", "methods", "frames", "seconds", "memory_mb")},
                           sort_keys=True)
        self._jobs, self._rows = {}, []
        for path in find_models(listed(config["models"]), config.get("list", "")):
            content = digest(path)
            job = content and hashlib.sha256((content + named).encode()).hexdigest()[:24]
            self._rows.append({"model": str(path), "sha256": content, "job": job,
                               "same_as": self._jobs.get(job) if job else None})
            if job:
                self._jobs.setdefault(job, str(path))

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
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise SurveyError(f"{path}: {error.strerror}") from None
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
