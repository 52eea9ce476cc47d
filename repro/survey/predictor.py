"""The two limits of predicted_normals() (lib/skinlight/character/predicted_normals.h), found from a survey, and how often what
they name is right.

usage: predictor.py TABLES.json [--json FILE]

Right is to name the cheapest kind that pays, as `skinlight compare` found it (`pays`); models on which none does say nothing.
The limits are those with the most right answers over all models. The hit rate is of models that had no part in the limits: every family of models (those that repro/survey/variations.py
made of one) is told by limits from the others.
"""

import json
import math
import os
import re
import sys
import tempfile
from pathlib import Path

# The cheapest first.
KINDS = ("deform", "smoothed", "deform-vectors")
METHOD = "lbs"
FEATURE = "weight-change_q3"


def family(model):
    """Fox of .../Fox_0243_cut2.glb and of .../Fox.glb."""
    return re.sub(r"_\d{4}_.*", "", Path(model).stem).lower()


def cases(rows):
    """[(feature, right kind, family)] of the rows of models.csv."""
    found = []
    for row in rows:
        if row.get("method") == METHOD and row.get(FEATURE) is not None and row.get("pays") in KINDS:
            found.append((row[FEATURE], row["pays"], family(row["model"])))
    return sorted(found)


def named(feature, limits):
    return KINDS[sum(feature >= limit for limit in limits)]


def fitted(found):
    """The pair of limits with the most right answers, halfway between the features that they part; of equal pairs the lowest."""
    features = sorted({feature for feature, _, _ in found})
    cuts = [0.0, *((a + b) / 2 for a, b in zip(features, features[1:])), math.inf]
    below = {kind: [sum(f < cut for f, right, _ in found if right == kind) for cut in cuts] for kind in KINDS}
    low, middle, high = (below[kind] for kind in KINDS)
    best, first, chosen = -1, 0, (0.0, 0.0)
    for second, cut in enumerate(cuts):
        # The first limit that goes best with this second one.
        if low[second] - middle[second] > low[first] - middle[first]:
            first = second
        right = low[first] + middle[second] - middle[first] + high[-1] - high[second]
        if right > best:
            best, chosen = right, (cuts[first], cut)
    return chosen


def hits(found, limits):
    return sum(named(feature, limits) == right for feature, right, _ in found)


def predict(rows):
    """{models, families, limits, hit_rate of families left out, hit_rate_fitted of the models themselves, most_frequent: the
    rate of always naming the most frequent kind}."""
    found = cases(rows)
    families = sorted({of for _, _, of in found})
    if len(families) < 2:
        raise ValueError("needs two families of models or more")
    left_out = sum(hits([c for c in found if c[2] == of], fitted([c for c in found if c[2] != of])) for of in families)
    limits = fitted(found)
    return {"models": len(found), "families": len(families), "limits": [limit if math.isfinite(limit) else None for limit in limits], "hit_rate": left_out / len(found),
            "hit_rate_fitted": hits(found, limits) / len(found),
            "most_frequent": max(sum(right == kind for _, right, _ in found) for kind in KINDS) / len(found)}


def main(arguments):
    if len(arguments) not in (1, 3) or arguments[0].startswith("-") or arguments[1:2] not in ([], ["--json"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        rows = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))["models"]
        told = predict(rows)
        if arguments[1:]:
            out = Path(arguments[2])
            with tempfile.NamedTemporaryFile("w", dir=out.parent, delete=False, encoding="utf-8") as part:
                part.write(json.dumps(told, indent=1) + "\n")
            os.replace(part.name, out)
    except OSError as error:
        print(f"predictor: {error.filename or arguments[0]}: {error.strerror}", file=sys.stderr)
        return 2
    except (ValueError, KeyError) as error:
        print(f"predictor: {arguments[0]}: {error}", file=sys.stderr)
        return 2
    below = ", ".join(f"{kind} below {'any' if limit is None else format(limit, '.3f')}" for kind, limit in zip(KINDS, told["limits"]))
    print(f"{told['models']} models in {told['families']} families: {below}, else {KINDS[2]}\nright on {100 * told['hit_rate']:.0f} % of families left out, on "
          f"{100 * told['hit_rate_fitted']:.0f} % of those fitted; always the most frequent kind: {100 * told['most_frequent']:.0f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
