#!/usr/bin/env bash
# The pages of `ra serve` in a real browser: Debian's Chromium, driven by playwright-core, and checked by axe-core. What
# can't be installed is skipped, loudly.
#
#   run.sh RA                  RA is the binary to test
#   run.sh RA --screenshots    writes the pictures of docs/ instead
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ra=$(realpath "$1")
# What is installed is kept beside the build, so a second run is quick.
kept=${RA_BROWSER_DIR:-$(dirname "$(dirname "$ra")")/browser}
mkdir -p "$kept"

skip() {
    printf '\n!!! SKIPPED: %s\n!!! reason:  %s\n\n' "$1" "$2"
    exit 0
}

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium >"$kept/apt.log" 2>&1 ||
        { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } \
            >>"$kept/apt.log" 2>&1
    browser=$(command -v chromium)
fi
[ -n "$browser" ] || skip 'the browser tests' 'there is no Chromium, and it could not be installed'
command -v node >/dev/null || skip 'the browser tests' 'there is no Node'
if [ ! -d "$kept/node_modules/playwright-core" ] || [ ! -d "$kept/node_modules/axe-core" ]; then
    (cd "$kept" && { [ -f package.json ] || npm init -y >/dev/null 2>&1; } &&
        npm install --no-fund --no-audit --no-progress playwright-core axe-core >"$kept/npm.log" 2>&1) ||
        skip 'the browser tests' "playwright-core and axe-core could not be installed ($(tail -n 1 "$kept/npm.log"))"
fi

script=pages.mjs
[ "${2:-}" = --screenshots ] && script=screenshots.mjs
RA=$ra BROWSER_PROGRAM=$browser RA_BROWSER_MODULES=$kept/node_modules exec node "$here/$script" "${@:2}"
