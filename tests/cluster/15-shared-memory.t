#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# MPI knows after a launch which ranks share a node: else it would talk to its neighbour by network.
. "$(dirname "$0")/tap.sh"

# "MPI makes one shared-memory communicator of all ranks of each node"
shares() { # NAME MPI SIZES SALLOC-OPTIONS SRUN-OPTIONS...
    local name=$1 mpi=$2 sizes=$3 job=$4 library=openmpi
    shift 4
    [ "$mpi" = pmix ] || library=mpich
    local program=$STENCILMAP_BUILD/tests/mpi/$library/shared_ranks
    [ -x "$program" ] || return 0
    # shellcheck disable=SC2086
    out=$(echo "srun ${mpi:+--mpi=$mpi} $* $program" | in_job $job 2>&1)
    is "$(grep -v stencilmap: <<<"$out")" "$sizes" "$library, ${mpi:-no --mpi}: $name"
}

four="8 ranks: 4 times"
map="--stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8"
for mpi in pmi2 pmix; do
    shares "a launch" $mpi "$four" "-N4 -n32" "$map"
    like "$out" "(launch)" "was one"
    shares "nodes of unequal size" $mpi "6 ranks: 1 times
8 ranks: 3 times" "-N4 -n30" --stencil-map=strips --stencil=9pt --stencil-dims=5x6
    like "$out" "(launch)" "launched, too"
done
SLURM_MPI_TYPE=pmi2 shares "an order over nodes, SLURM_MPI_TYPE, --export=NONE" "" "$four" \
    "-N4 -n32" --rank-order=node,core --export=NONE

# What best finds here takes 816 bytes: another algorithm is launched.
grid="--stencil='1,0,0*9;-1,0,0*9;0,1,0;0,-1,0' --stencil-dims=10x6x3"
out=$(in_job -N2 -n180 -O <<X 2>&1
srun -O --mpi=pmi2 --stencil-map $grid bash -c 'echo \$SLURM_PROCID \$(hostname)'
X
)
like "$out" "best, .*: J_sum 324 -> 60 .*\(launch by nodecart, which pmi2 can tell MPI\)" \
    "best takes what pmi2 can tell"
is "$(grep -v stencilmap: <<<"$out" | node_indices)" \
    "$(eval "stencilmap show -N2 -n180 --stencil-map=nodecart $grid --format=nodes")" "and launches it"

# Every other rank elsewhere: a layout that takes more bytes than pmi2 has.
long="--stencil-map=best --stencil='2,0;-2,0' --stencil-dims=168x1"
out=$(echo "srun -O --mpi=pmi2 $long true" | in_job -N2 -n168 -O 2>&1)
like "$out" "\(comm: --mpi=pmi2 has 673 bytes to tell MPI which ranks share a node, and this layout takes 680;" \
    "a layout that pmi2 cannot tell is not launched, with the reason"
out=$(echo "srun -O --mpi=pmi2 $long --stencil-placement=launch true" | in_job -N2 -n168 -O 2>&1)
like "$out" "--stencil-placement=launch: not possible: --mpi=pmi2 has 673 bytes" \
    "and a typed launch is refused"
plan
