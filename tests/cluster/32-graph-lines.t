#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# --stencil=@FILE: ranks where the tool says, by launch and by comm; what does not fit is refused
# with one line before the step is there.
. "$(dirname "$0")/tap.sh"

dir=$(mktemp -d)
chmod 755 "$dir"
trap 'rm -rf "$dir"' EXIT
fields='echo $SLURM_PROCID $(hostname) ${STENCILMAP_RANK:--} ${STENCILMAP_PLACEMENT:--} ${STENCILMAP_DIMS:--} $STENCILMAP_STENCIL'
export fields

# 28 ranks on a 6x6 grid with an island, numbered along the columns, and 2 servers behind them.
awk 'BEGIN { for (x = 0; x < 6; x++) for (y = 0; y < 6; y++)
        if (!(x >= 2 && x < 4 && y >= 1 && y < 5)) { r[x, y] = n++ }
    print "stencilmap-comm 1 " n + 2
    for (x = 0; x < 6; x++) for (y = 0; y < 6; y++) if ((x, y) in r) {
        if ((x + 1, y) in r) { print "sent", r[x, y], r[x + 1, y], 1, 1000; print "sent", r[x + 1, y], r[x, y], 1, 1000 }
        if ((x, y + 1) in r) { print "sent", r[x, y], r[x, y + 1], 1, 100; print "sent", r[x, y + 1], r[x, y], 1, 100 }
        print "sent", r[x, y], n + int(2 * r[x, y] / n), 3, 500
    } }' >"$dir/Ocean.comm"
ranks=$(awk 'NR == 1 { print $3 }' "$dir/Ocean.comm")
# The same without weights and servers, as METIS has it.
awk 'NR > 1 && $2 < n && $3 < n { out[$2] = out[$2] " " $3 + 1; edges++ } NR == 1 { n = $3 - 2 }
    END { print n, edges / 2; for (i = 0; i < n; i++) print out[i] }' "$dir/Ocean.comm" >"$dir/mesh.graph"

map="--stencil-map --stencil=@$dir/Ocean.comm"
out=$(in_job -N4 -n32 2>&1 <<<"srun -n $ranks $map --stencil-placement=launch bash -c '$fields'")
like "$out" "stencilmap: best, @Ocean.comm on $ranks ranks over 4 nodes: J_sum [0-9]+ -> [0-9]+ \(-.*\(launch\)" "what is gained, by launch"
out=$(grep '^[0-9]' <<<"$out" | sort -n)
sizes=$(awk '{ print $2 }' <<<"$out" | sort -V | uniq -c | awk '{ printf "%s%s", (NR > 1 ? "," : ""), $1 }')
want=$(stencilmap show --tasks-per-node="$sizes" $map --format=nodes)
is "$(awk '{ print $1, $2 }' <<<"$out" | node_indices)" "$want" "ranks are where the tool says ($sizes)"
is "$(awk '{ print $3 - $1, $4, $5, $6 }' <<<"$out" | sort -u)" "0 launch - @$dir/Ocean.comm" "hints: a rank, no dims"

# Inside the nodes, by the edges that each has read for itself. Slurm deals ranks 2i and 2i + 1, which talk, to two sockets.
{ echo 8 4; for i in 2 1 4 3 6 5 8 7; do echo $i; done; } >"$dir/pairs.graph"
chmod 644 "$dir"/*
out=$(in_job -N1 -n8 2>&1 <<<"srun -n 8 --stencil-map --stencil=@$dir/pairs.graph --stencil-report bash -c '$fields'")
like "$out" "socket [1-9][0-9]* -> 0" "in a node ranks that talk share a socket"

map="--stencil-map=best --stencil=@mesh.graph"
out=$(cd "$dir" && in_job -N4 -n32 2>&1 <<<"srun -n $((ranks - 2)) -m cyclic $map --stencil-placement=comm bash -c '$fields'")
like "$out" "stencilmap: best, @mesh.graph on $((ranks - 2)) ranks .*\(comm; only programs that take STENCILMAP_RANK" "who gains by comm"
out=$(grep '^[0-9]' <<<"$out" | sort -n)
sizes=$(awk '{ print $2 }' <<<"$out" | sort -V | uniq -c | awk '{ printf "%s%s", (NR > 1 ? "," : ""), $1 }')
want=$(cd "$dir" && stencilmap show --tasks-per-node="$sizes" -m cyclic $map --format=nodes)
is "$(awk '{ print $3, $2 }' <<<"$out" | node_indices)" "$want" "by comm every rank is told, where the tool says"
is "$(awk '{ print $4, $5, $6 }' <<<"$out" | sort -u)" "comm - @$dir/mesh.graph" "nodes are told the full name of the file"

# The first two ranks are no part of the graph, whose file is of the others.
map="--stencil-map --stencil=@$dir/mesh.graph --stencil-ranks=2-$((ranks - 1))"
out=$(in_job -N4 -n32 2>/dev/null <<<"srun -n $ranks $map bash -c '$fields'" | sort -n)
is "$(awk '{ print $3 }' <<<"$out" | head -3 | xargs)" "- - 0" "ranks outside of the graph have none in it"
sizes=$(awk '{ print $2 }' <<<"$out" | sort -V | uniq -c | awk '{ printf "%s%s", (NR > 1 ? "," : ""), $1 }')
want=$(stencilmap show --tasks-per-node="$sizes" $map --format=nodes)
is "$(awk '$3 != "-" { print $3, $2 }' <<<"$out" | node_indices)" "$want" "the others are where the tool says"

refused() { # PATTERN NAME OPTIONS...
    local pattern=$1 name=$2 out
    shift 2
    out=$(in_job -N4 -n32 2>&1 <<<"srun --stencil-map $* bash -c 'echo it runs'")
    is "$(grep -cE "^srun: error: stencilmap: $pattern\$" <<<"$out")" 1 "$name: one line"
    unlike "$out" "it runs" "$name: nothing runs"
}
refused "--stencil=@$dir/none: No such file or directory" "no file" -n 8 --stencil=@"$dir"/none
refused "--stencil=@$dir/mesh.graph: a graph of $((ranks - 2)) ranks, not of 8" "other ranks" -n 8 --stencil=@"$dir"/mesh.graph
refused "--stencil-dims=2x4: a communication graph.*" "dims" -n 8 --stencil-dims=2x4 --stencil=@"$dir"/mesh.graph
refused "--stencil-map=hyperplane: hyperplane needs a grid; best maps communication graphs" "an algorithm for grids" \
    -n $((ranks - 2)) --stencil-map=hyperplane --stencil=@"$dir"/mesh.graph

# Gone before the nodes look: the step runs as decided, and one node says what is missing.
printf '#!/bin/sh\nrm -f %s\n' "$dir/mesh.graph" >"$dir/prolog"
chmod 755 "$dir/prolog"
out=$(in_job -N4 -n32 2>&1 <<<"srun -n $ranks --prolog=$dir/prolog $map bash -c '$fields'")
like "$out" "stencilmap: best, @mesh.graph on .*\(launch" "gone: the step as decided"
is "$(grep -c "stencilmap: --stencil=@$dir/mesh.graph: No such file or directory: tasks are not placed inside the nodes" <<<"$out")" 1 \
    "and one line about the nodes"
is "$(grep -c '^[0-9]' <<<"$out")" "$ranks" "and all its tasks"
unlike "$(sinfo -h -o %t | sort -u)" "drain|down|fail" "no node has drained"
plan
