#!/usr/bin/env python3
"""Runs the notebooks of this folder; a cell that raises fails. With --write their outputs are kept in them.

usage: run.py [--write]
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        sys.exit(__doc__.strip())
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # no breakpoints are wanted
    for path in sorted(HERE.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        # Its own folder: the notebooks find the example character beside them.
        NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": HERE}}).execute()
        print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells ran")
        if sys.argv[1:]:
            for cell in notebook.cells:
                cell.metadata.pop("execution", None)  # times
            notebook.metadata.pop("widgets", None)
            nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
