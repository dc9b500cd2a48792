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

# How much to tell of a binding is no binding, on the command line and in the environment.
for bind in --cpu-bind=verbose --cpu-bind=quiet --mem-bind=verbose; do
    export bind
    out=$(in_job -N2 --ntasks-per-node="$tasks" <<<'srun --rank-order=core $bind bash -c "$look"' 2>&1)
    is "$(grep '^[0-9]' <<<"$out" | sort -n | squeeze)" "$(squeeze <<<"$want")" "$bind chooses no binding"
    unlike "$out" "stencilmap:" "$bind: nothing is said"
done
out=$(in_job -N2 --ntasks-per-node="$tasks" <<<'SLURM_CPU_BIND=verbose SLURM_MEM_BIND=quiet srun --rank-order=core bash -c "$look"' 2>&1)
is "$(grep '^[0-9]' <<<"$out" | sort -n | squeeze)" "$(squeeze <<<"$want")" "nor do the variables"
policy='grep -c "bind:" /proc/self/numa_maps'
export policy
for bind in "" --mem-bind=verbose --mem-bind=none; do
    export bind
    out=$(in_job -N1 -n1 <<<'srun --rank-order=core,membind $bind bash -c "exec $policy"' 2>/dev/null)
    [ "$bind" = --mem-bind=none ] && wanted=0 || wanted=1
    is "$((out > 0))" "$wanted" "memory is bound beside '$bind', unless that is a binding"
done

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
is "$(nodes_of --rank-hierarchy=2,2,8 --rank-order=1-0-2)" "$(repeat 8 0 1 2 3)" "two numbers that multiply to the nodes"
is "$(nodes_of --rank-order=cyclic)" "$(repeat 8 0 1 2 3)" "Slurm's word cyclic"
is "$(nodes_of --rank-order=plane=2)" "$(repeat 4 0 0 1 1 2 2 3 3)" "Slurm's word plane"

out=$(in_job -N4 -n32 2>&1 <<<'srun --rank-order=core,node,numa true')
like "$out" "stencilmap: --rank-order=core,node,numa: with node between other levels, --rank-hierarchy must" "a node in the middle needs a hierarchy"

# Placement comm: the ranks stay, and are told their ranks in the order, those that launch gives.
told() { # SRUN-OPTIONS...: the node of every rank of the order
    srun "$@" bash -c 'echo $STENCILMAP_RANK $(hostname) $STENCILMAP_PLACEMENT $SLURM_PROCID' 2>"$said"
}
said=$(mktemp)
out=$(told -N4 -n32 --rank-order=node,core)
is "$(awk '{print $1, $2}' <<<"$out" | node_indices | paste -sd ' ')" "$(repeat 8 0 1 2 3)" "a bare srun cannot place ranks: they are told"
is "$(awk '{print $4, $2}' <<<"$out" | node_indices | paste -sd ' ')" "$blocked" "and stay on their nodes"
is "$(awk '{print $3}' <<<"$out" | sort -u)" comm "with the placement"
like "$(cat "$said")" "stencilmap: --rank-order=node,core: ranks stay on their nodes, STENCILMAP_RANK is the rank in the order \(comm: the nodes are not known yet" "and one line says so"
out=$(told -N3 -n13 -m cyclic --rank-hierarchy=node:3,fake:2,core:4 --rank-order=core,node,fake)
is "$(awk '{print $1}' <<<"$out" | sort -n | paste -sd ' ')" "$(seq -s ' ' 0 12)" "8, 4 and 1 tasks, cyclic: a permutation"
# Slurm may take other nodes than the first three: what counts is the node's place in the step.
is "$(awk '{print $1, $2}' <<<"$out" | node_indices | awk '{ node[NR] = $1; if (NR == 1 || $1 < first) first = $1 }
    END { for (i = 1; i <= NR; i++) print node[i] - first }' | paste -sd ' ')" "0 0 0 0 1 1 1 1 2 0 0 0 0" "in the blocks of the order"
rm -f "$said"
out=$(echo 'srun --rank-order=node,core --stencil-placement=comm bash -c "echo \$STENCILMAP_RANK \$SLURM_PROCID \$(hostname)"' | in_job -N2 -w n0,n1 --ntasks-per-node=2 2>/dev/null | sort -n)
is "$out" $'0 0 n0\n1 2 n1\n2 1 n0\n3 3 n1' "placement comm typed"
out=$(srun -N4 -n32 --rank-order=node,core --stencil-placement=launch true 2>&1)
like "$? $out" "^[1-9].*stencilmap: --stencil-placement=launch: not possible: the nodes are not known yet" "launch typed where it cannot be is refused"
out=$(in_job -N4 -n32 2>/dev/null <<<'srun --rank-order=node,core bash -c "echo \$SLURM_DISTRIBUTION"' | sort -u)
is "$out" "$(in_job -N4 -n32 2>/dev/null <<<'srun bash -c "echo \$SLURM_DISTRIBUTION"' | sort -u)" "SLURM_DISTRIBUTION is as without us"
unlike "$(sinfo -h -o %t | sort -u)" "drain|down|fail" "no node has drained"
plan
