#!/usr/bin/env bash
# `@modelcontextprotocol/inspector --cli` over both transports.
#
#   inspector.sh RA PROJECT URL
set -euo pipefail
ra=$1 project=$2 url=$3
cd "$project"

holds() {
    local wanted=$1 answer
    shift
    answer=$(mcp-inspector --cli "$@" 2>&1) || { printf 'failed: %s\n%s\n' "$*" "$answer"; exit 1; }
    grep -qF -- "$wanted" <<<"$answer" || { printf 'no %s in the answer to %s:\n%s\n' "$wanted" "$*" "$answer"; exit 1; }
}

stdio=("$ra" mcp)
http=("$url" --transport http)
for door in stdio http; do
    declare -n server=$door
    holds '"name": "search"' "${server[@]}" --method tools/list
    holds 'docs:guide.md#installation' "${server[@]}" --method tools/call --tool-name search --tool-arg queries=installer --tool-arg limit=1
    holds 'did you mean `limit`?' "${server[@]}" --method tools/call --tool-name search --tool-arg queries=zebra --tool-arg limt=1
    holds 'ra://docs/guide.md' "${server[@]}" --method resources/list
    holds 'wait for the zebra' "${server[@]}" --method resources/read --uri ra://docs/guide.md
    holds '"name": "research"' "${server[@]}" --method prompts/list
    holds 'ra://{tree}/{+path}{#section}' "${server[@]}" --method resources/templates/list
done
