#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# --rank-order: cores inside a node as the kernel sees them, and ranks interleaved over nodes. The
# nodes are this machine's cores; real topologies are in tests/vm.
. "$(dirname "$0")/tap.sh"

cores=$(stencilmap cores --format=csv | tail -n +2 | wc -l)
tasks=$((cores < 8 ? cores : 8))
look='echo $SLURM_PROCID $(hostname) $(awk "/Cpus_allowed_list/ {print \$2}" /proc/self/status) $STENCILMAP_CPUS'
export look tasks

# Each task of a node has the cpus that the tool lists, in its order.
out=$(in_job -N2 --ntasks-per-node="$tasks" <<<'srun --rank-order=core bash -c "$look"' 2>&1)
want=$(for node in 0 1; do
    stencilmap cores --rank-order=core -n "$tasks" --format=csv | tail -n +2 |
        awk -F, -v node=$node -v tasks="$tasks" '{sub(/^[^,]*,[^,]*,/, ""); gsub(/"/, ""); print node * tasks + NR - 1, "n" node, $0, $0}'
done)
# The kernel writes 0-1 where the tool writes 0,1.
squeeze() { sed -E 's/\b([0-9]+),([0-9]+)\b/\1-\2/g'; }
is "$(sort -n <<<"$out" | squeeze)" "$(squeeze <<<"$want")" "task i has the i-th core of the order, and STENCILMAP_CPUS says so"

out=$(in_job -N2 --ntasks-per-node="$tasks" <<<'srun --rank-order=core --cpu-bind=none bash -c "$look"' 2>&1)
like "$out" "stencilmap: --cpu-bind is set and stays in force" "--cpu-bind of the user wins, and that is said"
unlike "$(grep -v stencilmap: <<<"$out" | awk '{print $3}' | sort -u)" '^0$' "no task is bound"

nodes_of() { # OPTIONS...: the node index of every rank
    export options=$*
    in_job -N4 -n32 2>/dev/null <<<'srun $options bash -c "echo \$SLURM_PROCID \$(hostname)"' | node_indices | paste -sd ' '
}
repeat() { # N WORD...
    local n=$1
    shift
    for _ in $(seq "$n"); do printf '%s ' "$@"; done | sed 's/ $//'
}
blocked=$(stencilmap show -N4 -n32 --stencil-map=blocked --format=nodes | paste -sd ' ')
# 8 tasks a node are more than this machine's cores, so only the layout is looked at.
is "$(nodes_of --rank-order=core)" "$blocked" "an order inside the node leaves the layout alone"
is "$(nodes_of --rank-order=core,node)" "$blocked" "so does one with the node slowest"
is "$(nodes_of --rank-order=node,core)" "$(repeat 8 0 1 2 3)" "node fastest: one rank a node and round"
is "$(nodes_of --rank-hierarchy=node:4,fake:2,core:4 --rank-order=core,node,fake)" \
    "$(repeat 2 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3)" "node in the middle: blocks of the faster levels"
is "$(nodes_of --rank-hierarchy=4,2,4 --rank-order=2-0-1)" \
    "$(repeat 2 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3)" "the same in the paper's numbers"
is "$(nodes_of --rank-order=cyclic)" "$(repeat 8 0 1 2 3)" "Slurm's word cyclic"
is "$(nodes_of --rank-order=plane=2)" "$(repeat 4 0 0 1 1 2 2 3 3)" "Slurm's word plane"

out=$(in_job -N4 -n32 2>&1 <<<'srun --rank-order=core,node,numa true')
like "$out" "stencilmap: --rank-order=core,node,numa: with node between other levels, --rank-hierarchy must" "a node in the middle needs a hierarchy"
out=$(srun -N4 -n32 --rank-order=node,core true 2>&1)
like "$out" "stencilmap: --rank-order=node,core: ranks cannot be interleaved over nodes: the nodes are not known yet" "a bare srun cannot interleave"
out=$(in_job -N4 -n32 2>/dev/null <<<'srun --rank-order=node,core bash -c "echo \$SLURM_DISTRIBUTION"' | sort -u)
is "$out" "$(in_job -N4 -n32 2>/dev/null <<<'srun bash -c "echo \$SLURM_DISTRIBUTION"' | sort -u)" "SLURM_DISTRIBUTION is as without us"
unlike "$(sinfo -h -o %t | sort -u)" "drain|down|fail" "no node has drained"
plan
