#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# --stencil-objective=levels: Slurm's switches above the nodes, and levels that the user names.
. "$(dirname "$0")/tap.sh"

where='echo $SLURM_PROCID $(hostname)'
export where

# What crosses the switches, from where the ranks of a 4x8 grid really are.
crossings() {
    sort -n | awk '
    {host = substr($2, 2); side[$1] = host % 2; node[$1] = host}
    function edge(a, b) {
        if (!(b in side)) return
        if (side[a] != side[b]) switches += 2
        if (node[a] != node[b]) nodes += 2
    }
    END {
        for (rank = 0; rank < NR; rank++) {
            if ((rank + 1) % 8 != 0) edge(rank, rank + 1)
            edge(rank, rank + 8)
        }
        print nodes, switches
    }'
}

step() { # SRUN-OPTIONS...; the lines of srun in $said
    echo "srun $* bash -c '$where'" | in_job -N4 -n32 2>"$said"
}
said=$(mktemp)
trap 'rm -f "$said"' EXIT

map="--stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8"
is "$(step -n32 | crossings)" "48 48" "a plain step, four rows on n0 to n3, crosses nodes and switches"
is "$(step $map | crossings)" "24 16" "a mapping without levels is blind for switches"
is "$(step $map --stencil-objective=levels --stencil-report | crossings)" "24 8" \
    "with levels, neighbouring blocks share a switch"
like "$(cat "$said")" "J_sum +48 +24 \(-50 %\)" "the report shows the nodes"
like "$(cat "$said")" "switch +48 +8 \(-83 %\)" "and the switches"
is "$(step --stencil-map --stencil=5pt --stencil-dims=4x8 --stencil-objective=levels | crossings)" "24 8" \
    "best does so too"
is "$(step $map --stencil-objective=levels --stencil-placement=comm | crossings)" "48 48" \
    "comm leaves ranks where they are"

# Levels inside the nodes that the user names are in the report; wrong ones are refused.
step $map --rank-hierarchy=socket:2,core:4 --stencil-objective=levels --stencil-report >/dev/null
like "$(cat "$said")" "socket +56 +40 \(-29 %\)" "what crosses sockets is in the report"
step $map --rank-hierarchy=socket:2,core:2 >/dev/null
like "$(cat "$said")" \
    "stencilmap: --rank-hierarchy=socket:2,core:2: 4 cores in a node, but 8 tasks on the fullest one" \
    "too few cores for the tasks"
# What the user says is above the nodes is not asked of Slurm.
step $map --rank-hierarchy=rack:2,node:2,core:8 --stencil-objective=levels --stencil-report >/dev/null
like "$(cat "$said")" "rack +16 +8 \(-50 %\)" "named levels above the nodes are in the report"
unlike "$(cat "$said")" "switch" "and no switches beside them"
unlike "$(sinfo -h -N -o '%T')" "drain|down|fail" "no node has drained"
plan
