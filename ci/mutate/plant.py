"""Faults into sources: all of a draw at once, chosen when the program runs, or one as text."""
import os
import random
import re


def disjoint_draw(sites, count, seed):
    """Up to `count` sites that do not overlap, the same for the same seed; the kinds of fault take turns."""
    by_kind = {}
    for site in sorted(sites, key=lambda s: s.key()):
        by_kind.setdefault(site.operator, []).append(site)
    draw = random.Random(seed)
    for kind in sorted(by_kind):
        draw.shuffle(by_kind[kind])
    taken, chosen = {}, []
    kinds = sorted(by_kind)
    draw.shuffle(kinds)
    while len(chosen) < count and any(by_kind.values()):
        for kind in kinds:
            while by_kind[kind] and len(chosen) < count:
                site = by_kind[kind].pop()
                others = taken.setdefault(site.file, [])
                if all(site.end <= begin or end <= site.begin for begin, end in others):
                    others.append((site.begin, site.end))
                    chosen.append(site)
                    break
    return chosen


def edited(data, edits):
    """The bytes with the texts of (begin, end, text) in place."""
    for begin, end, text in sorted(edits, reverse=True):
        data = data[:begin] + text.encode() + data[end:]
    return data


def planted_cpp(data, numbered, header):
    """The source with the mutants (number, site) in it. header: absolute path of mutant.h; None for a file that another one
    includes in the middle."""
    edits = []
    for number, site in numbered:
        on = f"::skinlight_mutants::{'on_at_start' if site.constant else 'on'}({number})"
        edits.append((site.begin, site.end, f"({on} ? ({site.after}) : ({site.before}))"))
        if site.constant:
            at = data.rindex(b"constexpr", 0, site.begin)
            edits.append((at, at + len(b"constexpr"), "const"))
    data = edited(data, edits)
    if header is None:
        return data
    include = f'#include "{header}"\n'.encode()
    at = re.search(rb"^#pragma once\n", data, re.M)
    return data[:at.end()] + include + data[at.end():] if at else include + data


def write(path, data):
    """Unless it is there already: what has not changed is not compiled again."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
