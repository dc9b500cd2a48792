#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The examples, in every placement and for both MPIs: the results have the same bits as those of one
# process alone, and where ranks are mapped they really are.
. "$(dirname "$0")/tap.sh"

examples=$STENCILMAP_BUILD/contrib/examples
preload=$STENCILMAP_BUILD/contrib/preload/libstencilmap_preload.so
[ -e "$preload" ] && [ -e "$examples" ] || skip_all "built without MPI"
conf=$STENCILMAP_MINICLUSTER_DIR/examples
mkdir -p "$conf"
printf '%s\n' '[stencilmap]' "mpi-helper = $preload" >"$conf/stencilmap.conf"
echo "optional $STENCILMAP_BUILD/plugin/spank_stencilmap.so config=$conf/stencilmap.conf" >"$conf/plugstack.conf"
sed "s#^PlugStackConfig=.*#PlugStackConfig=$conf/plugstack.conf#" "$SLURM_CONF" >"$conf/slurm.conf"
export SLURM_CONF=$conf/slurm.conf STENCILMAP_MPI=verbose MPIR_CVAR_POLLS_BEFORE_YIELD=1
declare -A pmi=([openmpi]=pmix [mpich]=pmi2) tasks=([openmpi]=32 [mpich]=16) preloads=([openmpi]="" [mpich]=$STENCILMAP_BUILD/tests/mpi/giveway.so)
declare -A grids=([heat2d:32]=4x8 [heat2d:16]=2x8 [heat3d:32]=2x4x4 [heat3d:16]=1x4x4)
declare -A cells=([heat2d]=50x70 [heat3d]=18x20x22) periodic=([heat2d]=0,1 [heat3d]=1,1,0)
declare -A layout=([heat2d]=cyclic [heat3d]=plane=2) # which leaves something to gain

step() { # OPTIONS... PROGRAM ARGUMENTS...: its lines
    LD_PRELOAD=${preloads[$mpi]} timeout 120 srun -N4 --ntasks-per-node=$((tasks[$mpi] / 4)) --mpi="${pmi[$mpi]}" "$@" 2>&1
}

for mpi in openmpi mpich; do
    for name in heat2d heat3d; do
        program=$examples/$mpi/$name
        [ -x "$program" ] || continue
        dims=${grids[$name:${tasks[$mpi]}]}
        map="--stencil-map=hyperplane --stencil=nn --stencil-dims=$dims --stencil-periodic=${periodic[$name]}"
        alone="$program --cells=${cells[$name]} --periodic=${periodic[$name]} --steps=10"
        heat="$alone --dims=$dims"
        want=$(srun -N1 -n1 --mpi="${pmi[$mpi]}" $alone 2>&1 | grep checksum)
        like "$want" "checksum [0-9a-fA-F]{16} OK" "$mpi, $name: one process"
        right() { # OUTPUT NAME
            is "$(grep checksum <<<"$1")" "$want" "$mpi, $name: $2: the same bits"
        }
        mapped="^stencilmap: cart $dims nn: J_sum ([0-9]+) -> "
        right "$(step -m ${layout[$name]} $heat --ranks=world)" "no option, no communicator"
        right "$(step -m ${layout[$name]} $heat --ranks=cart)" "no option, MPI_Cart_create"
        out=$(step -m ${layout[$name]} $heat)
        right "$out" "no option, the library linked"
        like "$out" "$mapped[0-9]+, .*\(hyperplane\)" "$mpi, $name: which maps for itself"
        out=$(step -w 'n[0-3]' $map $heat --ranks=world)
        right "$out" "launch, no communicator"
        like "$out" "stencilmap: .*J_sum [0-9]+ -> [0-9]+.*\(launch\)" "$mpi, $name: which srun says"
        out=$(step -w 'n[0-3]' $map $heat)
        right "$out" "launch, the library linked"
        like "$out" "^stencilmap: cart $dims .*ranks kept: srun has placed them" "$mpi, $name: which keeps ranks"
        out=$(step -m ${layout[$name]} --stencil-placement=comm $map $heat)
        right "$out" "comm, the library linked"
        like "$out" "$mapped[0-9]+, .*\(hints\)" "$mpi, $name: which uses the hints"
        out=$(step -m ${layout[$name]} --stencil-placement=comm $map $heat --ranks=cart)
        right "$out" "comm, MPI_Cart_create with the library preloaded"
        like "$out" "$mapped[0-9]+, .*\(hints\)" "$mpi, $name: which uses the hints"
    done
done
plan
