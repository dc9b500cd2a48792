#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# --stencil-map inside nodes of real topologies: the masks stay those that Slurm chose, tasks that
# talk to each other get them side by side, and the report says what the kernel says.
[ -n "${SLURM_JOB_ID-}" ] || exec salloc -Q --immediate=60 -N2 --exclusive "$0"
. "$(dirname "$0")/look.sh"

# What crosses the levels inside a node, from where the tasks really are: "socket 8, numa 16". v0 has
# split numbering of 2 sockets of 2 NUMA nodes of 4 cores; v1 linear numbering of 2 sockets of 4 L3
# of 2 cores of 2 threads. Ranks are cells of a 5-point stencil.
crossings() { # NODE COLUMNS-OF-THE-GRID LINES
    spell 3 <<<"$3" | paste -d' ' - <(awk '{print $1, $2}' <<<"$3") | awk -v node="$1" -v n="$2" '
    function edge(a, b) {
        if (!(a in outer) || !(b in outer)) return
        if (outer[a] != outer[b]) crossed_outer += 2
        if (inner[a] != inner[b]) crossed_inner += 2
    }
    $3 == node {
        cpu = $1 + 0
        outer[$2] = node == "v0" ? int(cpu % 16 / 8) : int(cpu / 16)
        inner[$2] = node == "v0" ? int(cpu % 16 / 4) : int(cpu / 4)
    }
    END {
        for (rank in outer) {
            if ((rank + 1) % n != 0) edge(rank, rank + 1)
            edge(rank, rank + n)
        }
        printf "socket %d, %s %d\n", crossed_outer, node == "v0" ? "numa" : "l3", crossed_inner
    }'
}

# "socket 24 -> 8, numa 32 -> 16" of a node, as reported; then its left or right numbers.
reported() { # NODE
    awk -v node="$1" '/stencilmap: node/ {on = $0 ~ "node " node ","} on && sub(/.*inside the node: /, "")' "$said"
}
left() { sed -E 's/([0-9]+) -> [0-9]+/\1/g'; }
right() { sed -E 's/[0-9]+ -> ([0-9]+)/\1/g'; }

masks() { awk '{print $2, $3}' <<<"$1" | sort; }

# Nothing to gain between the nodes: the ranks stay where they are, and the masks are handed round.
plain=$(look -N2 -n32)
lines=$(look -N2 -n32 --stencil-map=hyperplane --stencil-dims=8x4 --stencil-report=full)
is "$(awk '{print $1, $2}' <<<"$lines")" "$(awk '{print $1, $2}' <<<"$plain")" "8x4: ranks stay on their nodes"
is "$(masks "$lines")" "$(masks "$plain")" "the masks are those that Slurm chose"
for node in v0 v1; do
    is "$(reported $node | left)" "$(crossings $node 4 "$plain")" "$node: crossings before are those of the plain step"
    is "$(reported $node | right)" "$(crossings $node 4 "$lines")" "$node: crossings after are those of the real masks"
done
is "$(reported v0)" "socket 24 -> 8, numa 32 -> 16" "a 4x4 block on 2 sockets of 2 NUMA nodes: the optimum"
is "$(reported v1 | left | cut -d, -f1)" "socket 24" "v1: sockets in turn"
is "$(reported v1 | right)" "socket 8, l3 32" "a 4x4 block on 2 sockets of 4 L3 of 2 cores: the optimum"

# Something to gain: other ranks on the nodes, the same masks.
lines=$(look -N2 -n32 --stencil-map --stencil-dims=2x16 --stencil-report=full)
is "$(masks "$lines")" "$(masks "$plain")" "2x16: the masks are those that Slurm chose"
for node in v0 v1; do
    is "$(reported $node | right)" "$(crossings $node 16 "$lines")" "$node: what crosses is as reported"
done
is "$(reported v0 | right)" "socket 4, numa 12" "2x8 cells on v0: cut across the long side"

# With an order: the order says which cores, the mapping who gets which of them.
lines=$(look -N2 -n16 --stencil-map --stencil-dims=2x8 --rank-order=numa,core --stencil-report=full)
for node in v0 v1; do
    is "$(awk -v node=$node '$2 == node' <<<"$lines" | spell 3 | sort)" \
        "$(table $node 8 --rank-order=numa,core | sort)" "$node: the cores of the order"
    is "$(reported $node | right)" "$(crossings $node 8 "$lines")" "$node: what crosses is as reported"
done

# One node alone gains too, and one line about the first node is enough.
lines=$(look -N1 -w v0 -n16 --stencil-map --stencil-dims=4x4 --stencil-report)
is "$(crossings v0 4 "$lines")" "socket 8, numa 16" "one node alone"
is "$(grep -c '^stencilmap: inside node v0, the first: socket 24 -> 8, numa 32 -> 16$' "$said")" 1 "one line says so"
look -N2 -n32 --stencil-map --stencil-dims=2x16 --stencil-report >/dev/null
is "$(grep -c '^stencilmap: inside' "$said")" 1 "with two nodes also"

# A binding of the user's stays; a mapping that lowers nothing changes nothing.
for choice in rank cores; do
    was=$(look -N1 -w v0 -n16 --cpu-bind=$choice | awk '{print $1, $3}')
    is "$(look -N1 -w v0 -n16 --cpu-bind=$choice --stencil-map --stencil-dims=4x4 | awk '{print $1, $3}')" "$was" "--cpu-bind=$choice of the user stays"
done
was=$(look -N1 -w v0 -n16 -m block:block | awk '{print $1, $3}')
is "$(look -N1 -w v0 -n16 -m block:block --stencil-map --stencil-dims=16x1 | awk '{print $1, $3}')" "$was" "a line that is in order is left alone"
unlike "$(sinfo -h -N -o '%T %E')" "drain|down|fail" "no node has drained"
plan
