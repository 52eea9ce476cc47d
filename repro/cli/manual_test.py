"""The manual page and the completions against what --help prints, read by the programs that they are for."""

import os
import re
import shutil
import subprocess

import pytest

SKINLIGHT = os.environ["SKINLIGHT"]


def output_of(*arguments):
    return subprocess.run([SKINLIGHT, *arguments], check=True, capture_output=True, text=True).stdout


def commands(*parents):
    """The commands that the help of a command lists."""
    text = output_of(*parents, "--help").partition("Subcommands:")[2]
    return re.findall(r"^  ([a-z]+) ", text, re.M)


def places():
    for name in commands():
        yield (name,)
        for own in commands(name):
            yield name, own


def options_in_help(place):
    text = output_of(*place, "--help").partition("Options:")[2].partition("Subcommands:")[0]
    return {name for line in re.findall(r"^  (-.*?)(?:  |$)", text, re.M) for name in re.findall(r"(?<![\w-])-{1,2}[a-z][\w-]*", line)}


def test_what_help_says_of_options_fits_into_110_columns():
    for place in places():
        lines = output_of(*place, "--help").partition("\n\n")[2].splitlines()
        described = [line for line in lines if re.match("  +[^ ]", line)]
        assert max(map(len, described), default=0) <= 110, place


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("man") / "skinlight.1"
    path.write_text(output_of("--man"))
    return path


def shown(page):
    return subprocess.run(["man", "-l", page], check=True, capture_output=True, text=True,
                          env={**os.environ, "MANWIDTH": "200", "MAN_KEEP_FORMATTING": ""}).stdout


def test_roff_has_nothing_to_warn_of(page):
    told = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], check=True, capture_output=True, text=True)
    assert told.stderr == ""


def test_the_manual_has_every_command_and_option_of_the_help(page):
    text = re.sub(r"\x1b\[\d+m", "", shown(page)).replace("\u2010", "-").replace("\u2212", "-")
    listed = list(places())
    assert ("compare",) in listed and ("golden", "check") in listed
    for place in listed:
        section = re.search(rf"^   skinlight {' '.join(place)}\n(.*?)(?=^   skinlight|^[A-Z])", text, re.M | re.S)
        assert section, place
        for option in options_in_help(place):
            assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", section[1]), (place, option)
    assert "EXIT STATUS" in text


def completed(*words):
    """What bash offers for the last word."""
    script = ('source /dev/stdin; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _skinlight; printf "%s\\n" '
              '"${COMPREPLY[@]}"')
    told = subprocess.run(["bash", "-c", script, "bash", "skinlight", *words], input=output_of("--completion", "bash"),
                          check=True, capture_output=True, text=True)
    assert told.stderr == ""
    return set(told.stdout.split())


def test_bash_completes_commands_options_and_choices():
    assert completed("") >= set(commands())
    for place in places():
        assert completed(*place, "-") >= options_in_help(place), place
    assert completed("compare", "--method", "") == {"lbs", "dqs", "crs", "sbs", "log", "dib"}
    assert completed("compare", "hero.glb", "--method", "l") == {"lbs", "log"}
    assert completed("golden", "ch") == {"check"}
    assert completed("--completion", "") == {"bash", "zsh", "fish"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_read_their_completion(shell):
    script = output_of("--completion", shell)
    assert "compare" in script and "--" in script or "-l " in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, check=True, text=True)


def test_an_unknown_shell_is_told():
    told = subprocess.run([SKINLIGHT, "--completion", "csh"], capture_output=True, text=True)
    assert told.returncode == 2 and "bash" in told.stderr and len(told.stderr.splitlines()) == 1


def test_the_version_has_the_commit():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short=7", "HEAD"], capture_output=True, text=True)
    number = r"\d+\.\d+\.\d+"
    version = output_of("--version").strip()
    if commit.returncode == 0:
        assert re.fullmatch(rf"{number}\+g[0-9a-f]{{7,}}(\.dirty)?", version)
    else:
        assert re.fullmatch(number, version)
