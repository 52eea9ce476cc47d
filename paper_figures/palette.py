"""The colours of all figures, and what each of them stands for: a method has one colour wherever it is drawn.

Okabe and Ito's palette, safe for colour-blind readers; style.mplstyle cycles through the same colours.
"""

VERMILION, BLUE, GREEN, PURPLE, ORANGE, SKY = "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"
BLACK, GREY, LIGHT_GREY, STEEL = "#000000", "#7F7F7F", "#999999", "#3465A4"

# Ways to get normals.
STANDARD, DEFORM, SMOOTHED, VECTORS = VERMILION, BLUE, PURPLE, GREEN
# Under a skinning method other than linear blending.
APPROXIMATION, EXACT = ORANGE, BLUE

# Skinning methods.
SKINNING = {"lbs": VERMILION, "dqs": BLUE, "crs": GREEN, "sbs": PURPLE, "log": ORANGE}

# What normals are compared with.
TRANSPORTED, RECOMPUTED = GREEN, PURPLE

# Tables: text that stands back, and numbers that differ from the printed ones.
SOFT, DIFFERS = "#5A5A5A", "#B03A00"

# Sketches: a filled shape and its outline.
FILL, OUTLINE = "#EDEDED", "#9A9A9A"
