#!/usr/bin/env bash
# Brings the real models of repro/models.json into one folder, each file checked by its SHA-256.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage="usage: ci/fetch_models.sh [DIR]
Puts every file of repro/models.json into DIR (default: models/ of the checkout, which git ignores) and says what it
did. A file comes from the first of these that has it:
  DIR itself               kept when it is the right file
  \$SKINLIGHT_MODELS        a folder laid out alike
  ../shared/models         beside the checkout
  the public repository    github.com at the commit that repro/models.json names, with curl
Every file is checked before it takes its place; an interrupted download leaves nothing. Conversions are made here of
their public sources, by the converter that repro/models.json names.
Exit code 0: done; 2: a file is not what repro/models.json says, or cannot be had."
usage_if_asked "$usage" "$@"
if [ $# -gt 1 ] || [[ ${1:-} = -* ]]; then
  printf '%s\n' "$usage" >&2
  exit 2
fi
target=${1:-$root/models}

# Where raw files of public repositories are.
address=${SKINLIGHT_MODELS_URL:-https://raw.githubusercontent.com}

# One line per file: name, SHA-256, address below $address, "unaltered" where that is the file itself, "made" where a
# converter makes it of its sources; bytes to fetch, licence.
list_files() {
  "$python" - "$root/repro/models.json" <<'PY'
import json, sys, urllib.parse
with open(sys.argv[1], encoding="utf-8") as file:
    table = json.load(file)
for model in table["models"]:
    for f in model["files"]:
        place = f"{f['repository']}/{f['commit']}/{urllib.parse.quote(f['path'])}"
        kind = "made" if "converted" in f else "unaltered"
        size = sum(source["bytes"] for source in f["sources"]) if kind == "made" else f["bytes"]
        print(f["file"], f["sha256"], place, kind, size, model["licence"], sep="\t")
PY
}

# list_sources FILE: its converter, then one line per source: name, SHA-256, address below $address.
list_sources() {
  "$python" - "$root/repro/models.json" "$1" <<'PY'
import json, os, sys, urllib.parse
with open(sys.argv[1], encoding="utf-8") as file:
    table = json.load(file)
for f in (f for model in table["models"] for f in model["files"] if f["file"] == sys.argv[2]):
    print(f["converter"])
    for source in f["sources"]:
        place = f"{f['repository']}/{f['commit']}/{urllib.parse.quote(source['path'])}"
        print(os.path.basename(source["path"]), source["sha256"], place, sep="\t")
PY
}

fail() {
  echo "ci/fetch_models.sh: $*" >&2
  exit 2
}

digest() { sha256sum <"$1" | cut -d ' ' -f 1; }

# place FILE SHA256 FROM NAME: checks FROM, then moves it to its place.
place() {
  local file=$1 expected=$2 from=$3 name=$4 found
  found=$(digest "$from")
  if [ "$found" != "$expected" ]; then
    rm -f "$target/$file.part"
    fail "$name is not $file: its SHA-256 is $found, expected $expected"
  fi
  mv -f "$from" "$target/$file"
}

copy_from() {
  local file=$1 expected=$2 folder=$3
  cp -f "$folder/$file" "$target/$file.part"
  chmod u+w "$target/$file.part"
  place "$file" "$expected" "$target/$file.part" "$folder/$file"
  echo "copied    $file from $folder"
}

# download TO URL FILE: FILE or a source of it.
download() {
  local to=$1 url=$2 file=$3 reason
  if ! reason=$(curl --fail --silent --show-error --location --connect-timeout 20 --output "$to" "$url" 2>&1); then
    rm -f "$to"
    fail "cannot download $file: ${reason:-curl failed} ($url); offline, name a folder that has it in SKINLIGHT_MODELS"
  fi
}

# make FILE SHA256: fetches and checks its sources, and converts them.
make() {
  local file=$1 expected=$2 name digest_of path found reason converter
  local sources=()
  {
    read -r converter
    while IFS=$'\t' read -r name digest_of path; do
      download "$work/$name" "$address/$path" "$file"
      found=$(digest "$work/$name")
      [ "$found" = "$digest_of" ] ||
        fail "$address/$path is not the source of $file: its SHA-256 is $found, expected $digest_of"
      sources+=("$work/$name")
    done
  } < <(list_sources "$file")
  reason=$("$python" -B "$root/$converter" "${sources[@]}" "$target/$file.part" 2>&1) || fail "cannot make $file: $reason"
  place "$file" "$expected" "$target/$file.part" "what $converter made"
  echo "made      $file of ${#sources[@]} files from $address"
}

list=$(list_files)
work=$(mktemp -d)
trap 'rm -rf "$work" "$target"/*/*.part' EXIT
folders=()
for folder in "${SKINLIGHT_MODELS:-}" "$root/../shared/models"; do
  if [ -n "$folder" ] && [ -d "$folder" ]; then
    folders+=("$(cd "$folder" && pwd)")
  fi
done

is_here() { [ -f "$target/$1" ] && [ "$(digest "$target/$1")" = "$2" ]; }

# Sets `source` to the first of the folders that has the file, empty when none has.
find_source() {
  source=
  for folder in "${folders[@]}"; do
    if [ -z "$source" ] && [ -f "$folder/$1" ] && ! [ "$folder/$1" -ef "$target/$1" ]; then
      source=$folder
    fi
  done
}

# How much is to be fetched, and under which licences, before it is.
count=0
total=0
licences=
while IFS=$'\t' read -r file expected path kind bytes licence; do
  find_source "$file"
  if [ -z "$source" ] && ! is_here "$file" "$expected"; then
    count=$((count + 1))
    total=$((total + bytes))
    licences+=$licence$'\n'
  fi
done <<<"$list"
if [ "$count" -gt 0 ]; then
  tenths=$(((total + 99999) / 100000))
  echo "to fetch: $count files, $((tenths / 10)).$((tenths % 10)) MB, from $address"
  printf 'licences: %s (whose models these are: README.md)\n' \
    "$(sort -u <<<"${licences%$'\n'}" | paste -sd, | sed 's/,/, /g')"
fi

while IFS=$'\t' read -r file expected path kind bytes licence; do
  if is_here "$file" "$expected"; then
    echo "kept      $file"
    continue
  fi
  mkdir -p "$(dirname "$target/$file")" || fail "cannot write to $target"
  find_source "$file"
  if [ -n "$source" ]; then
    copy_from "$file" "$expected" "$source"
  elif [ "$kind" = unaltered ]; then
    download "$target/$file.part" "$address/$path" "$file"
    place "$file" "$expected" "$target/$file.part" "$address/$path"
    echo "fetched   $file from $address/$path"
  else
    make "$file" "$expected"
  fi
done <<<"$list"
echo "models are in $target; use them with SKINLIGHT_MODELS=$target"
