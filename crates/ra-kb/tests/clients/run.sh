#!/usr/bin/env bash
# Real clients against the server, installed by name from the registries: the Python package `mcp`, the inspector, the
# conformance suite, and six agents whose model is a script (see agents/check.py). A client that cannot be installed is
# skipped, loudly; one that is there must pass.
#
#   run.sh RA    RA is the binary to test
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ra=$(realpath "$1")
# What is installed is kept beside the build, so that a second run is quick.
kept=${RA_CLIENTS_DIR:-$(dirname "$(dirname "$ra")")/clients}
mkdir -p "$kept"
failed=0

skip() {
    printf '\n!!! SKIPPED: %s\n!!! reason:  %s\n\n' "$1" "$2"
}

check() {
    local name=$1
    shift
    if timeout 240 "$@"; then
        printf 'passed: %s\n' "$name"
    else
        printf 'FAILED: %s\n' "$name"
        failed=1
    fi
}

# A project of its own, so that nothing depends on where this runs.
project=$(mktemp -d)
server=
finish() {
    [ -n "$server" ] && kill "$server" 2>/dev/null && wait "$server" 2>/dev/null
    rm -rf "$project"
}
trap finish EXIT
# The registries are configured in the real home; the server and its clients get one of their own.
real=$HOME
export HOME="$project/home"
unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
mkdir -p "$HOME" "$project/docs"
printf 'root = true\n[trees]\ndocs = "docs"\n' >"$project/.ra.toml"
printf '# Guide\n\nHow to use it.\n\n## Installation\n\nRun the installer and wait for the zebra.\n' >"$project/docs/guide.md"
printf '# Notes\n\nThe zebra sleeps.\n' >"$project/docs/notes.md"

(cd "$project" && exec "$ra" mcp --http 127.0.0.1:0) 2>"$project/serving" &
server=$!
for _ in $(seq 100); do
    grep -q serving "$project/serving" && break
    sleep 0.05
done
url=$(sed -n 's/^note: serving at //p' "$project/serving")
echo "serving at $url"

echo '--- python package mcp'
python=$kept/python
if [ ! -x "$python/bin/python" ] || ! "$python/bin/python" -c 'import mcp' 2>/dev/null; then
    rm -rf "$python"
    python3 -m venv "$python" >"$kept/python.log" 2>&1 &&
        HOME=$real "$python/bin/pip" install -q mcp >>"$kept/python.log" 2>&1
fi
if "$python/bin/python" -c 'from mcp import Client' 2>/dev/null; then
    check 'python package mcp' "$python/bin/python" "$here/python_client.py" "$ra" "$project" "$url"
else
    skip 'the Python package mcp' "it could not be installed ($(grep -im 1 error "$kept/python.log"))"
fi

echo '--- start and kill'
check 'start and kill' python3 "$here/cycles.py" "$ra" "$project" "${RA_CYCLES:-20}"

node=$kept/node
install() {
    mkdir -p "$node" && cd "$node" && { [ -f package.json ] || npm init -y >/dev/null 2>&1; } &&
        HOME=$real npm install --no-fund --no-audit --no-progress "$@" >"$kept/npm.log" 2>&1
}
# The clients want a Node that many systems do not have yet: a private one is put in front.
if [ ! -x "$node/node_modules/.bin/conformance" ] || [ ! -x "$node/node_modules/.bin/mcp-inspector" ]; then
    (install node@22 @modelcontextprotocol/inspector @modelcontextprotocol/conformance)
fi
export PATH="$node/node_modules/.bin:$PATH"

echo '--- inspector'
if [ -x "$node/node_modules/.bin/mcp-inspector" ]; then
    check 'inspector' bash "$here/inspector.sh" "$ra" "$project" "$url"
else
    skip '@modelcontextprotocol/inspector' "it could not be installed ($(grep -im 1 error "$kept/npm.log"))"
fi

echo '--- conformance'
if [ -x "$node/node_modules/.bin/conformance" ]; then
    check 'conformance, released' bash "$here/conformance.sh" conformance "$url" 2025-11-25
else
    skip '@modelcontextprotocol/conformance' "it could not be installed ($(grep -im 1 error "$kept/npm.log"))"
fi
# The release knows the revisions of 2025 only; that of 2026 is in the one to come.
node=$kept/node-next
if [ ! -x "$node/node_modules/.bin/conformance" ]; then
    (install @modelcontextprotocol/conformance@0.2.0-alpha.12)
fi
if [ -x "$node/node_modules/.bin/conformance" ]; then
    check 'conformance, next' bash "$here/conformance.sh" "$node/node_modules/.bin/conformance" "$url" 2026-07-28
else
    skip '@modelcontextprotocol/conformance for 2026-07-28' "it could not be installed ($(grep -im 1 error "$kept/npm.log"))"
fi

# Agents. Versions are pinned to what the scripted endpoint knows; the log says which one ran.
echo '--- agents'
agents=$kept/agents
if [ ! -f "$agents/installed" ]; then
    # The private Node must be in front by now: npm chooses the release of an agent that the running Node can run.
    (node=$agents && install @anthropic-ai/claude-code@2 @openai/codex@0 js-tiktoken@1 && touch "$agents/installed")
fi

# agent NAME PROBE...    checks the agent if the probe, a command, works
agent() {
    local name=$1
    shift
    if ! [ -f "$agents/installed" ]; then
        skip "$name" "the packages of npm could not be installed ($(grep -im 1 error "$kept/npm.log"))"
    elif ! "$@" >"$kept/probe.log" 2>&1; then
        skip "$name" "it could not be installed ($(grep -im 1 error "$kept/$name.log" "$kept/probe.log"))"
    else
        check "$name" python3 -B "$here/agents/check.py" "$name" "$ra" "$kept"
    fi
}

# library NAME REQUIREMENT...    checks an agent of PyPI, in an environment of its own: they want different releases of `mcp`
library() {
    local name=$1
    shift
    if [ ! -f "$kept/$name/installed" ]; then
        rm -rf "${kept:?}/$name"
        python3 -m venv "$kept/$name" >"$kept/$name.log" 2>&1 &&
            HOME=$real "$kept/$name/bin/pip" install -q "$@" >>"$kept/$name.log" 2>&1 && touch "$kept/$name/installed"
    fi
    agent "$name" test -f "$kept/$name/installed"
}

agent claude-code "$agents/node_modules/.bin/claude" --version
agent codex "$agents/node_modules/.bin/codex" --version
library pydantic-ai 'pydantic-ai-slim[openai,mcp]>=2,<3'
library openai-agents 'openai-agents<1'
library langchain-mcp-adapters 'langchain-mcp-adapters<1' 'langchain>=1,<2' 'langchain-openai>=1,<2'
library fastmcp 'fastmcp>=4,<5'

if ! kill -0 "$server" 2>/dev/null; then
    echo 'FAILED: the server did not survive its clients'
    failed=1
fi
exit $failed
