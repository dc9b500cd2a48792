#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# stencilmap detect: what it prints. Speaks TAP; usage: test_tool_detect.sh path/to/stencilmap
tool=${1:?usage: $0 path/to/stencilmap}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
count=0
failed=0

# result TEXT: one TAP line for the status of the last command.
result() {
    # shellcheck disable=SC2181
    if [ $? -eq 0 ]; then word=ok; else word='not ok'; failed=$((failed + 1)); fi
    count=$((count + 1))
    echo "$word $count - $1"
}

# run CODE ARGS...: the exit code is CODE; output in $dir/out and $dir/err.
run() {
    want=$1
    shift
    timeout 60 "$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    [ $got -eq "$want" ] && return
    echo "# exit $got, not $want: $(head -c 300 "$dir/err")"
    return 1
}

# says FILE TEXT: the file has that line.
says() {
    grep -qxF -- "$2" "$dir/$1" && return
    sed 's/^/# /' "$dir/$1"
    return 1
}

# halo FIRST: 2x4x4, x fastest, six neighbours, ranks from FIRST on, 8 to a node; others idle.
halo() {
    awk -v first="$1" 'BEGIN {
        print "stencilmap-comm 1 " 32 + first
        for (r = 0; r < 32 + first; r++) print "node", r, "n" int(r / 8)
        for (z = 0; z < 2; z++) for (y = 0; y < 4; y++) for (x = 0; x < 4; x++) {
            r = first + 16 * z + 4 * y + x
            if (x < 3) print "sent", r, r + 1, 20, 1310720 "\nsent", r + 1, r, 20, 1310720
            if (y < 3) print "sent", r, r + 4, 20, 1310720 "\nsent", r + 4, r, 20, 1310720
            if (z < 1) print "sent", r, r + 16, 20, 1310720 "\nsent", r + 16, r, 20, 1310720
        }
    }'
}

halo 0 >"$dir/halo.comm"
run 0 detect "$dir/halo.comm" &&
    says out '32 ranks on 4 nodes: 128 pairs, 168 MB' &&
    says out 'all ranks: 2x4x4, 7pt, not periodic: 100.0 % of the bytes, 100.0 % of the pairs' &&
    says out '  next time: srun --stencil-map --stencil-dims=2x4x4 --stencil=7pt ...' &&
    says out '  between nodes: 48 -> 32 pairs, 62.9 MB -> 41.9 MB (-33 %)' &&
    says out ' 0 0 1 1' && says out 'ranks 0 and 1 differ in the last dimension'
result 'the grid, its line, what it gains, a picture'
run 0 detect "$dir/halo.comm" --format=csv &&
    says out 'dims,periodic,stencil,explained,options' &&
    [ "$(sed -n 2p "$dir/out")" = \
        '2x4x4,"0,0,0",nn,1.0000,--stencil-map --stencil-dims=2x4x4 --stencil=7pt' ]
result 'the same for scripts'
run 0 plan -N4 -n32 --stencil-map=best --stencil-dims=2x4x4 --stencil=7pt --format=csv &&
    grep -q '^best,32,8,48,' "$dir/out"
result 'what the line does is what was promised'
"$tool" detect - <"$dir/halo.comm" >"$dir/out" 2>&1 && grep -q '2x4x4, 7pt' "$dir/out"
result 'from standard input'
run 0 detect "$dir/halo.comm" -N 8 && says out '  between nodes: 80 -> 64 pairs, 105 MB -> 83.9 MB (-20 %)'
result 'on other nodes'
run 1 detect "$dir/halo.comm" -N 8 -n 64 &&
    says err 'stencilmap: 64 tasks, the record has 32 ranks'
result 'refused: another number of tasks'

halo 3 >"$dir/three.comm"
run 0 detect "$dir/three.comm" --format=csv && sed -n 2p "$dir/out" | grep -q \
    '^2x4x4,.*--stencil-map --stencil-ranks=3-34 --stencil-dims=2x4x4 --stencil=7pt$'
result 'three idle ranks in front'

{ cat "$dir/halo.comm" && echo 'cart 2x4x4 0,0,0 0'; } >"$dir/cart.comm"
run 0 detect "$dir/cart.comm" && grep -q '; MPI_Cart_create made it$' "$dir/out"
result 'MPI_Cart_create is believed'
{ cat "$dir/halo.comm" && echo 'cart 8x4 0,0 1'; } >"$dir/cart.comm"
run 0 detect "$dir/cart.comm" && grep -q '^all ranks: 2x4x4, ' "$dir/out" &&
    says out 'MPI_Cart_create made 8x4, which does not explain what was sent'
result 'but checked'

awk 'BEGIN { print "stencilmap-comm 1 40"; srand(7)
    for (r = 0; r < 40; r++) print "node", r, "n" r % 4
    for (i = 0; i < 200; i++) print "sent", int(40 * rand()), int(40 * rand()), 1, 1000 }' >"$dir/random.comm"
run 0 detect "$dir/random.comm" && says out 'no grid explains who talks to whom' &&
    says out "  next time: srun --stencil-map --stencil=@$dir/random.comm ..."
result 'no grid'
run 0 detect "$dir/random.comm" --format=csv && [ "$(wc -l <"$dir/out")" -eq 1 ]
result 'no grid for scripts'

echo 'stencilmap-comm 1 4' >"$dir/empty.comm"
run 0 detect "$dir/empty.comm" && says out 'nobody sent anything'
result 'an empty record'
printf 'stencilmap-comm 1 4\nsent 0 4 1 1\n' >"$dir/wrong.comm"
run 1 detect "$dir/wrong.comm" &&
    says err "stencilmap: $dir/wrong.comm: line 2: rank 4, the record has 0 to 3"
result 'refused: a wrong line'
run 3 detect "$dir/none.comm" && says err "stencilmap: $dir/none.comm: No such file or directory"
result 'refused: no file'
run 2 detect && says err 'stencilmap: detect takes one record: detect FILE'
result 'refused: no record'

run 0 detect "$dir/halo.comm" --format=svg && grep -c '<rect' "$dir/out" >"$dir/rects" &&
    [ "$(cat "$dir/rects")" -eq $((1 + 2 * (128 + 1) + 2)) ] &&
    grep -q 'between nodes: 32 pairs, 41.9 MB, 25 % of all bytes' "$dir/out"
result 'a picture of all pairs before and after'
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])' "$dir/out"
    result 'it is XML'
fi
grep -v '^node' "$dir/halo.comm" >"$dir/bare.comm"
run 1 detect "$dir/bare.comm" --format=svg && grep -q 'names none; -N 4 supposes some$' "$dir/err"
result 'refused: a picture without nodes'

echo "1..$count"
[ $failed -eq 0 ]
