#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Hand-overs that a user makes up: --export puts variables back after srun's plugin has cleared them.
# The tasks run as without us and see nothing of it, one line says why.
. "$(dirname "$0")/tap.sh"
version=$(stencilmap --version | awk '{ print $2 }')

# Of a step of eight tasks on two nodes, with variables in place of those of a right hand-over.
step() { # VARIABLE=VALUE...
    local variable list=ALL
    for variable in VERSION="$version" MAP=best FORM=hyperplane PLACEMENT=comm STENCIL=nn DIMS=2x4 \
        "NODE_SIZES=4(x2)" "$@"; do
        list=$list,SLURM_STENCILMAP_$variable
    done
    srun -N2 -n8 --ntasks-per-node=4 -w 'n[0-1]' --export="$list" \
        bash -c 'echo $(hostname) ${STENCILMAP_RANK:-none} $(env | grep -c SLURM_STENCILMAP)' 2>&1
}
# With such variables, what is said.
refused() { # SAID VARIABLE=VALUE...
    local out
    out=$(step "${@:2}")
    is "$(grep -c '^n[01] none 0$' <<<"$out")" 8 "${*:2}: the tasks run, and see nothing of it"
    is "$(grep -c 'stencilmap: tasks are left as Slurm made them: .*'"$1" <<<"$out")" 1 "and one node says why, once"
}

out=$(step)
is "$(awk '{ print $2, $3 }' <<<"$out" | sort | paste -sd ' ')" "0 0 1 0 2 0 3 0 4 0 5 0 6 0 7 0" \
    "one that is right in all is taken, and not seen"
refused "handed over for 4000000000 tasks on 1000000000 nodes, the step has 8 on 2" "NODE_SIZES=4(x1000000000)"
refused "handed over for 12 tasks on 3 nodes" "NODE_SIZES=4(x3)" DIMS=3x4
refused "product 4000000000 is not the number of tasks 8" DIMS=40000x100000
refused "'best' is nothing that nodes find their cells by" FORM=best
refused "'greedy' is nothing that nodes find their cells by" FORM=greedy
refused "not on a grid of 8 cells" FORM=cells:0b3000000000
refused "the text gives node 0 8 cells, it has 4 tasks" FORM=cells:0b7
refused "handed over for 12 tasks on 3 nodes" PLACEMENT=launch "NODE_SIZES=4(x3)"
out=$(step VERSION=0.0.1)
is "$(grep -c "stencilmap: srun's stencilmap is 0.0.1, this node's $version" <<<"$out")" 2 "another version: each node says so"
out=$(step DIMS=$'2x4\nerror: all is lost')
unlike "$out" "^error: all is lost" "what is not printable is not said"
unlike "$(sinfo -h -N -o '%T %E')" "drain|down|fail" "no node has drained"
plan
