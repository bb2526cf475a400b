#!/usr/bin/env bash
# The scenarios of the conformance suite that apply to what ra offers; all of them must pass. Most others call
# tools, prompts and resources of a demonstration server (`test_simple_text`, `test://static-text`, …), which a
# server that is not one does not have. `conformance.txt` lists them with the reason.
#
#   conformance.sh CONFORMANCE URL REVISION
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
conformance=$1 url=$2 revision=$3
failed=0 passed=0
listed=$("$conformance" list --server 2>/dev/null) || listed=$("$conformance" list)
listed=$(sed -n '/^Server scenarios/,/^$/p' <<<"$listed")
offered=$(grep -F "$revision" <<<"$listed" | sed -n 's/^ *- \([a-z0-9-]*\).*/\1/p')
for scenario in $offered; do
    verdict=$(awk -v name="$scenario" '$1 == name { print $2 }' "$here/conformance.txt")
    case $verdict in
    applies)
        if output=$("$conformance" server --url "$url" --scenario "$scenario" --spec-version "$revision" 2>&1); then
            passed=$((passed + 1))
        else
            printf 'failed: %s\n%s\n' "$scenario" "$(grep -E 'FAILURE|Error|Passed' <<<"$output" | head -20)"
            failed=1
        fi
        ;;
    no) ;;
    *) printf '!!! NEW: the scenario %s is not in conformance.txt and was not run\n' "$scenario" ;;
    esac
done
printf '%s: %s scenarios passed, of %s for %s\n' "$conformance" "$passed" "$(wc -w <<<"$offered")" "$revision"
[ "$passed" -ge 6 ] || failed=1
exit $failed
