#!/usr/bin/env bash
# Builds the documentation site and follows its links.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

no_arguments 'usage: ci/docs.sh
Builds build/docs/html with Doxygen, whose warnings are errors, and follows every link that stays in the site.' "$@"

"$root/ci/setup.sh" --docs
cd "$root"
rm -rf build/docs
mkdir -p build/docs
"$python" -B lib/docs/comments.py lib/skinlight/c/skinlight.h >/dev/null  # Doxygen goes on without a filter that fails
doxygen lib/docs/Doxyfile
# Formulas are set by MathJax, from a copy beside the pages: the site needs no network.
mkdir -p build/docs/html/mathjax/es5/output/chtml/fonts
cp build/node/node_modules/mathjax/es5/tex-chtml.js build/docs/html/mathjax/es5/
cp -r build/node/node_modules/mathjax/es5/output/chtml/fonts/woff-v2 build/docs/html/mathjax/es5/output/chtml/fonts/
"$python" -B lib/docs/links.py build/docs/html
echo "ci/docs.sh: open $root/build/docs/html/index.html"
