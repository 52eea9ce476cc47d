"""The figure of slots on made-up errors."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import slots


def write_slots(out):
    folder = write_run(out, make_run(id=slots.EXPERIMENT))
    lines = ["policy,slots,operations,bytes_f16," + ",".join(slots.MODELS)]
    lines.append("paper,4,132,12," + ",".join("4" for _ in slots.MODELS))
    for p, (policy, _, _, _) in enumerate(slots.POLICIES):
        for n in (8, 4, 6):  # the script puts them in order
            lines.append(f"{policy},{n},100,{16 * (n - 1)}," + ",".join(str((8 - n) / (p + 1)) for _ in slots.MODELS))
    (folder / "slots.csv").write_text("\n".join(lines) + "\n")
    return folder


def test_lines_are_the_policies_and_zero_stays_on_the_axis(out):
    folder = write_slots(out)
    use_style()
    axes = slots.compose(folder).axes
    assert [a.get_title() for a in axes] == slots.MODELS
    lines = {line.get_label(): list(line.get_ydata()) for line in axes[0].get_lines()}
    assert lines["the paper's deform factors, 4 slots"] == [4, 4]
    assert lines["dropped bones move with slot 0"] == [4, 2, slots.FLOOR]
    assert lines["fitted to random turns of the joints"] == [2, 1, slots.FLOOR]
    assert [label.get_text() for label in axes[0].get_xticklabels()][1] == "6 slots\n80 bytes"


@pytest.mark.parametrize("absent, message", [("paper,", "0 rows of the paper's factors"),
                                             ("random,", "policy random: has no rows")])
def test_missing_rows_are_named(out, absent, message):
    folder = write_slots(out)
    table = folder / "slots.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if not line.startswith(absent)))
    use_style()
    with pytest.raises(InputError, match=message):
        slots.compose(folder)
