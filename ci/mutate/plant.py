"""Faults into sources: all of a draw at once, chosen when the program runs, or one as text."""
import hashlib
import os
import random
import re


def disjoint_draw(sites, count, seed):
    """Up to `count` sites that do not overlap, the same for the same seed; the kinds of fault take turns. A change of the
    sources changes little of it, as the order is that of each site's own digest."""
    by_kind, alike = {}, {}
    for site in sorted(sites, key=lambda s: s.key()):
        change = (site.file, site.operator, site.before, site.after)
        alike[change] = alike.get(change, -1) + 1
        digest = hashlib.sha256(repr((seed, *change, alike[change])).encode()).digest()
        by_kind.setdefault(site.operator, []).append((digest, site))
    for kind in by_kind:
        by_kind[kind].sort(key=lambda digest_and_site: digest_and_site[0])
    taken, chosen = {}, []
    kinds = sorted(by_kind)
    random.Random(seed).shuffle(kinds)
    while len(chosen) < count and any(by_kind.values()):
        for kind in kinds:
            while by_kind[kind] and len(chosen) < count:
                site = by_kind[kind].pop()[1]
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


def lines_of(data, number, site):
    """Where a mutant stands in the source of planted_cpp()."""
    first = data[:re.search(rb"::on(_at_start)?\(%d\)" % number, data).start()].count(b"\n") + 1
    return range(first, first + (site.after + site.before).count("\n") + 1)


def write(path, data):
    """Unless it is there already: what has not changed is not compiled again."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
