# SPDX-License-Identifier: BSD-3-Clause
# A few TAP words for the cluster tests; every test file sources this and ends with `plan`.
# shellcheck shell=bash

tap_count=0
tap_failed=0

ok() { # STATUS NAME: reports one test
    tap_count=$((tap_count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_count - $2"
    else
        echo "not ok $tap_count - $2"
        tap_failed=$((tap_failed + 1))
    fi
}

is() { # GOT WANTED NAME
    if [ "$1" = "$2" ]; then
        ok 0 "$3"
    else
        ok 1 "$3"
        diff <(echo "$2") <(echo "$1") | sed 's/^/#   /; s/^#   </#   wanted:/; s/^#   >/#   got:   /' |
            grep -E 'wanted|got' | head -n 20 >&2
    fi
}

like() { # GOT PATTERN NAME: extended regular expression
    if grep -qE -- "$2" <<<"$1"; then
        ok 0 "$3"
    else
        ok 1 "$3"
        printf '#   wanted a line like: %s\n' "$2" >&2
        sed 's/^/#   got: /' <<<"$1" | head -n 20 >&2
    fi
}

unlike() { # GOT PATTERN NAME
    if grep -qE -- "$2" <<<"$1"; then
        ok 1 "$3"
        printf '#   wanted no line like: %s\n' "$2" >&2
        sed 's/^/#   got: /' <<<"$1" | head -n 20 >&2
    else
        ok 0 "$3"
    fi
}

# What a test reads out of a source is found there: a list that is empty would make it pass unseen.
nonempty() { # LIST AT-LEAST NAME
    local count
    count=$(grep -c . <<<"$1")
    if [ "$count" -ge "$2" ]; then
        ok 0 "$3: found"
    else
        ok 1 "$3: found"
        echo "#   wanted at least $2, got $count: has the source moved?" >&2
    fi
}

skip_all() { # REASON
    echo "1..0 # SKIP $1"
    exit 0
}

plan() {
    echo "1..$tap_count"
    exit $((tap_failed > 0))
}

# Runs the script on standard input in a job of its own and prints what it prints. The variables of
# the test file that it needs are exported. Not by bash -s: the first srun would read the rest.
in_job() { # SALLOC-OPTIONS...
    local script rc=0
    script=$(mktemp)
    cat >"$script"
    salloc -Q "$@" bash "$script" </dev/null || rc=$?
    rm -f "$script"
    return $rc
}

# The node index of every rank, one a line: what `stencilmap show --format=nodes` prints. Reads
# lines "rank hostname" (hostnames n0, n1, ...) in any order.
node_indices() {
    sort -n | sed 's/.* n//'
}
