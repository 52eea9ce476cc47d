#!/usr/bin/env python3
"""Follows every link of the site that stays in it, to the file and to the place in it. Exit code 1 when one leads nowhere.

usage: links.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page, and the places in it that others can name."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.add(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


# Doxygen 1.9 links to the list of nested classes of a class whose only ones are private, and writes none.
DOXYGENS = "#nested-classes"


def broken(folder):
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link == DOXYGENS:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
            if not target.exists():
                yield f"{path.name}: {link}: there is no such file"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{path.name}: {link}: there is no such place"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    folder = Path(sys.argv[1]).resolve()
    found = list(broken(folder))
    for line in found:
        print(line)
    print(f"{len(list(folder.rglob('*.html')))} pages, {len(found)} broken links")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
