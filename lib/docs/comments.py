#!/usr/bin/env python3
"""Doxygen's input filter: comments that are written for readers of the headers become Doxygen's, their text untouched by
its commands; equations that lib/docs/equations.md has become links, in the guide too.

usage: comments.py FILE
"""

import re
import sys
from pathlib import Path

EQUATIONS = set(re.findall(r"@anchor (\w+)", (Path(__file__).parent / "equations.md").read_text(encoding="utf-8")))
REFERENCE = re.compile(r"\[((?:TPS14|MMG06|KCZO07)) (Eq\. [\d, ]+\d|Eq\. \d+)\]")


def linked(match):
    paper, numbers = match[1], match[2].removeprefix("Eq. ").split(", ")
    links = [f"[{number}](@ref {anchor})" if (anchor := f"{paper.lower()}_eq{number}") in EQUATIONS else number
             for number in numbers]
    return f"({paper} Eq. {', '.join(links)})"


def escaped(text):
    """What Doxygen would take for its commands, tags, links or emphasis."""
    text = re.sub(r"([\\@<>#&%$*_~`|])", r"\\\1", text)
    return REFERENCE.sub(linked, text).replace("--", "-\\-")


def comment_at(line):
    """Where a comment of // begins, outside of literals; -1 for none."""
    quoted = None
    i = 0
    while i < len(line):
        c = line[i]
        if quoted:
            if c == "\\":
                i += 1
            elif c == quoted:
                quoted = None
        elif c == '"' or (c == "'" and not (i and line[i - 1].isalnum())):
            quoted = c
        elif line.startswith("//", i):
            return i
        i += 1
    return -1


def cpp(text):
    """A block of whole lines documents what follows, one behind code what stands before it and the comments that go on
    below it. The first block is about the file."""
    out, first, trailing = [], True, False
    for line in text.splitlines():
        at = comment_at(line)
        if at < 0:
            out.append(line)
            trailing = False
            first = first and not line.strip()
            continue
        code, comment = line[:at], line[at + 2:].strip()
        if re.match(r"NOLINT|clang-format", comment):
            out.append(code)
            continue
        if not code.strip():
            if first:
                out.append("/// @file")
                first = False
                trailing = False
            # Lines that are indented are code or a table.
            verbatim = re.match(r"  +\S", line[at + 2:])
            mark = "///<" if trailing else "///"
            out.append(f"{code}{mark} {'&nbsp;&nbsp;' if verbatim else ''}{escaped(comment)}"
                       f"{'<br>' if verbatim else ''}")
        else:
            out.append(f"{code}///< {escaped(comment)}")
            trailing = True
    return "\n".join(out) + "\n"


def c(text):
    """The header for C: /* */ before a declaration, or behind one on its line."""
    def block(match):
        body = match[1]
        if "NOLINT" in body:
            return ""
        lines = [escaped(re.sub(r"^\s*\*? ?", "", line)) for line in body.strip().splitlines()]
        mark = "/**<" if before(match) else "/**"
        about_the_file = "@file\n" if match.start() == 0 else ""
        return f"{mark} {about_the_file}" + "\n".join(lines) + " */"

    def before(match):
        return text[text.rfind("\n", 0, match.start()) + 1:match.start()].strip() != ""

    return re.sub(r"/\*(.*?)\*/", block, text, flags=re.DOTALL)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    path = Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".h":
        text = c(text) if path.name == "skinlight.h" else cpp(text)
    else:
        if path.name == "NOTATION.md":
            text = text.replace("# Notation\n", "# Notation {#notation}\n", 1)
        text = REFERENCE.sub(linked, text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
