#!/usr/bin/env bash
# Tests what people see in a browser: the page of a reproduction.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

no_arguments 'usage: ci/web.sh
Installs what is missing and tests the page that ci/reproduce.sh writes in headless Chromium: at widths from 360 to 1920
pixels, folded and unfolded, its pictures, its links, its console.
  SKINLIGHT_OUT   the folder of a reproduction: its page is tested too' "$@"

"$root/ci/setup.sh" --web
exec "$python" -B "$root/paper_figures/page_in_chromium.py"
