"""What is on record: shares, faults that were noticed, faults that make no difference; and what a sample says beside it."""
import hashlib
import json
import os

import rooms
from workspace import KEPT, NOTICED, ROOT

ONCE_IN = .01


def place(site, clean):
    """What a fault is known by when lines have moved: its file, the text of its line, its change."""
    return site.file, clean[site.file].decode().splitlines()[site.line - 1].strip(), site.operator, site.before, site.after


def told(row):
    """The same of a row of the result."""
    return row["file"], row["on"], row["operator"], row["before"], row["after"]


def equivalents():
    """The reasons why faults that make no difference make none, by their places."""
    with open(os.path.join(ROOT, "ci", "mutate", "equivalents.json")) as file:
        return {(e["file"], e["on"], e["operator"], e["before"], e["after"]): e["reason"] for e in json.load(file)}


def scores(rows):
    """Room by room: how many faults were judged, and what became of them."""
    counts = []
    for name in dict.fromkeys(row["room"] for row in rows):
        verdicts = [row["verdict"] for row in rows if row["room"] == name]
        counts.append({"room": name, "judged": len(verdicts), "red": verdicts.count("red"),
                       "equivalent": verdicts.count("equivalent"), "survived": verdicts.count("survived"),
                       "wanted": rooms.BY_NAME[name].target})
    return counts


def share(score):
    """Of the faults that make a difference, those that a test noticed."""
    able = score["judged"] - score["equivalent"]
    return score["red"] / able if able else 1


def summary(rows):
    """Prints the shares; whether every room reaches its own."""
    fine = True
    for score in scores(rows):
        enough = share(score) >= score["wanted"]
        fine = fine and enough
        print(f"{score['room']}: {score['red']} of {score['judged'] - score['equivalent']} red ({share(score):.0%}; wanted "
              f"{score['wanted']:.0%})" + ("" if enough else ": TOO FEW"))
    return fine


def fingerprint(row):
    return hashlib.sha256("\n".join(told(row)).encode()).hexdigest()[:8]


def written(name, kept):
    """Writes the dictionary `kept`, by room, a line each in the order of rooms.py: a list of its values, or itself."""
    text = ",\n".join((f"{json.dumps(room)}: " if name == NOTICED else "") + json.dumps(kept[room])
                      for room in rooms.BY_NAME if room in kept)
    path = os.path.join(ROOT, name)
    with open(path + ".part", "w") as file:
        file.write(f"{{\n{text}\n}}\n" if name == NOTICED else f"[\n{text}\n]\n")
    os.replace(path + ".part", path)


def read(name):
    with open(os.path.join(ROOT, name)) as file:
        return json.load(file)


def keep(rows, seed):
    """Writes the scores of these rooms, and which faults were noticed, over those that were kept of them."""
    kept = {score["room"]: score for score in read(KEPT)}
    kept.update((score["room"], {**score, "seed": seed}) for score in scores(rows))
    written(KEPT, kept)
    noticed = read(NOTICED)
    for name in dict.fromkeys(row["room"] for row in rows):
        by_verdict = {verdict: {fingerprint(row) for row in rows if row["room"] == name and row["verdict"] == verdict}
                      for verdict in ("red", "survived")}  # lines may be alike
        noticed[name] = " ".join(sorted(by_verdict["red"] - by_verdict["survived"]))
    written(NOTICED, noticed)


def judged_rooms():
    """Those whose share on record is what they want, as a sample of others would find what is known to be open, and which are
    built in its time."""
    return [score["room"] for score in read(KEPT)
            if share(score) >= rooms.BY_NAME[score["room"]].target and not rooms.BY_NAME[score["room"]].slow]


def chance(rows, survivors):
    """How likely so many of the rows or more survive if every room has just the share that it wants."""
    likely = [1.]  # of each number of survivors
    for row in rows:
        survives = 1 - rooms.BY_NAME[row["room"]].target
        likely = [a * (1 - survives) + b * survives for a, b in zip([*likely, 0.], [0., *likely])]
    return sum(likely[survivors:])


def sample_is_fine(rows):
    """A few faults are no share. What was noticed on record has to be noticed still; of all others too many may not survive:
    more than happens by chance once in a hundred samples."""
    noticed = {(room, one) for room, all_of in read(NOTICED).items() for one in all_of.split()}
    able = [row for row in rows if row["verdict"] != "equivalent"]
    lost = [row for row in able if (row["room"], fingerprint(row)) in noticed and row["verdict"] == "survived"]
    others = [row for row in able if (row["room"], fingerprint(row)) not in noticed]
    for row in lost:
        print(f"was noticed on record, and is not: {row['file']}:{row['line']}: {row['operator']}: "
              f"{' '.join(row['before'].split())}  ->  {' '.join(row['after'].split())}")
    survived = sum(row["verdict"] == "survived" for row in others)
    usual = chance(others, survived) >= ONCE_IN
    print(f"{len(able) - len(others) - len(lost)} faults are noticed as on record; of {len(others)} others {survived} survived"
          + ("" if usual else ": TOO MANY"))
    return not lost and usual
