#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The MPI helper on several nodes: check_cart under Slurm's distributions, on a minicluster of its own.
set -euo pipefail

usage() {
    cat <<'END'
usage: cluster.sh BUILD MPI [PLUGIN]
  BUILD   build directory of the whole project
  MPI     openmpi or mpich
  PLUGIN  spank_stencilmap.so: also checks that its hints come true
STENCILMAP_CHECK_GRIDS is the number of random grids (2 with Open MPI, 1 with MPICH), STENCILMAP_CHECK_SEED says which (1).
END
}

HERE=$(dirname "$(readlink -f "$0")")
MINICLUSTER=$HERE/../../contrib/minicluster/minicluster
# A cluster of its own, beside whatever else is up.
export STENCILMAP_MINICLUSTER_DIR=${STENCILMAP_MINICLUSTER_DIR:-/run/stencilmap-mpi-tests}
FAILED=0

say() { printf 'cluster: %s\n' "$*"; }

# expect NAME PATTERN SRUN-ARG...: runs check_cart under srun; all its checks must pass, and one line of its output must
# match the pattern.
expect() {
    local name=$1 pattern=$2 output rc=0
    shift 2
    output=$(timeout 150 "$MINICLUSTER" run srun --mpi="$SRUN_MPI" "$@" 2>&1) || rc=$?
    if ((rc == 0)) && grep -Eq -- "$pattern" <<<"$output"; then
        say "ok $name ($(grep -c '^ok' <<<"$output") checks)"
        return
    fi
    say "FAIL $name (exit $rc, wanted: $pattern)"
    grep -v '^ok' <<<"$output" | sed 's/^/    /'
    FAILED=$((FAILED + 1))
}

# uneven NAME "HOST COUNT ..." CHECK-ARG...: that many tasks on each host, in order.
uneven() {
    local name=$1 host count total=0 hosts words
    read -ra words <<<"$2"
    shift 2
    hosts=$(mktemp)
    for ((i = 0; i < ${#words[@]}; i += 2)); do
        host=${words[i]} count=${words[i + 1]}
        ((total += count))
        for ((j = 0; j < count; j++)); do echo "$host"; done
    done >"$hosts"
    SLURM_HOSTFILE=$hosts expect "$name" '^0 failures' -n "$total" -m arbitrary "$CHECK" --quick "$@"
    rm -f "$hosts"
}

layouts() {
    local d
    for d in "${DISTRIBUTIONS[@]}"; do
        expect "4x8, $d" '^0 failures' -N4 -n32 -m "$d" "$CHECK" --quick --dims=4x8 --jsum=24 --jmax=6
    done
    expect "2x4 periodic, double edges" '^0 failures' -N2 --ntasks-per-node=4 "$CHECK" --quick \
        --dims=2x4 --periodic=1,1 --jsum=8 --jmax=4
    expect "4x4, nodes of 4" '^0 failures' -N4 --ntasks-per-node=4 "$CHECK" --quick \
        --dims=4x4 --jsum=16 --jmax=4
    expect "2x8, first dimension smaller than a node" '^0 failures' -N4 --ntasks-per-node=4 "$CHECK" --quick \
        --dims=2x8 --jsum=12 --jmax=4
    uneven "10 processes on 3 nodes" "n0 4 n1 3 n2 3" --dims=2x5 --jsum=10 --jmax=5
    uneven "one line, nothing to gain" "n0 5 n1 4 n2 4" --dims=1x13 --jsum=4 --jmax=2
    uneven "7+5+4 processes on 4x4" "n0 7 n1 5 n2 4" --dims=4x4 --jsum=16 --jmax=6
}

# random NAME SRUN-ARG...: every algorithm, every stencil on random grids, in C and in the flavours of Fortran that are
# built; all must end up with the same ranks.
random() {
    local name=$1 flavour output rc first=""
    shift
    for flavour in "" _mpif _mpi _f08; do
        [[ -e ${CHECK%cart}random$flavour ]] || continue
        rc=0
        output=$(timeout "$RANDOM_LIMIT" "$MINICLUSTER" run srun --mpi="$SRUN_MPI" "$@" "${CHECK%cart}random$flavour" \
            "${ALGORITHMS[@]}" 2>&1) || rc=$?
        [[ -n $first ]] || first=$output
        if ((rc == 0)) && [[ $output == "$first" && $output == *"0 failures" ]]; then
            say "ok random grids, $name: ${flavour:-C} ($(grep -o '[0-9]* communicators' <<<"$output" |
                awk '{n += $1} END {print n}') communicators)"
        else
            say "FAIL random grids, $name: ${flavour:-C} (exit $rc)"
            sed 's/^/    /' <<<"$output"
            FAILED=$((FAILED + 1))
        fi
    done
}

random_grids() {
    local hosts
    mapfile -t ALGORITHMS < <("$BUILD/core/tool/stencilmap" plan --stencil-map=help | awk '{print $1}' | grep -v '^off$')
    say "algorithms: ${ALGORITHMS[*]}"
    hosts=$(mktemp)
    case $MPI in
        openmpi) random "equal nodes" -N4 --ntasks-per-node=4 -m cyclic ;;
        mpich) random "equal nodes" -N2 --ntasks-per-node=4 -m cyclic ;;
    esac
    printf '%s\n' n0 n2 n1 n0 n2 n0 n1 n0 n0 >"$hosts"
    SLURM_HOSTFILE=$hosts random "nodes of 5, 2 and 2" -n 9 -m arbitrary
    rm -f "$hosts"
}

# The plugin's hints: STENCILMAP_RANK and STENCILMAP_JSUM must be what the program finds.
hints() {
    local d
    local map=(--stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8)
    for d in "${DISTRIBUTIONS[@]}"; do
        expect "plugin, placement comm, $d" 'processor names is the prediction 24' -N4 -n32 -m "$d" "${map[@]}" \
            --stencil-placement=comm "$CHECK" --quick
    done
    expect "plugin, placement launch" 'processor names is the prediction 24' -N4 -n32 -w 'n[0-3]' "${map[@]}" \
        --stencil-placement=launch "$CHECK" --quick
    [[ $MPI == openmpi ]] || return 0
    expect "plugin, comm, two ranks outside of the grid" 'processor names is the prediction' -N4 -n34 -O -m cyclic \
        "${map[@]}" --stencil-ranks=2-33 --stencil-placement=comm "$CHECK" --quick
    expect "plugin, launch, two ranks outside of the grid" 'processor names is the prediction' -N4 -n34 -O \
        -w 'n[0-3]' "${map[@]}" --stencil-ranks=0-31 --stencil-placement=launch "$CHECK" --quick
    expect "plugin, launch: bench" 'J_sum 48 -> 24, predicted 24' -N4 -n32 -w 'n[0-3]' "${map[@]}" \
        --stencil-placement=launch "$BENCH" --repeats=1 --max=64
}

# A full run is about 90 checks: few processes for MPICH.
full() {
    if [[ $MPI == openmpi ]]; then
        expect "all checks, cyclic" '^0 failures' -N4 --ntasks-per-node=4 -m cyclic "$CHECK"
    else
        expect "all checks, cyclic" '^0 failures' -N2 --ntasks-per-node=2 -m cyclic "$CHECK"
    fi
}

# The dims for the nearest neighbours on real nodes are those that the tool prints.
dims() {
    local ndims want host hosts tool=$BUILD/core/tool/stencilmap
    for ndims in 2 3; do
        want=$("$tool" dims 32 $ndims -N4)
        expect "dims of 32 in $ndims" "^dims $want\$" -N4 -n32 "${CHECK%cart}dims" $ndims
        want=$("$tool" dims 24 $ndims --tasks-per-node=8,8,4,4)
        hosts=$(mktemp)
        for host in n0:8 n1:8 n2:4 n3:4; do seq "${host#*:}" | sed "s/.*/${host%:*}/"; done >"$hosts"
        SLURM_HOSTFILE=$hosts expect "dims of 24 in $ndims, nodes of 8 and 4" "^dims $want\$" -n24 -m arbitrary \
            "${CHECK%cart}dims" $ndims
        rm -f "$hosts"
    done
}

main() {
    (($# == 2 || $# == 3)) || { usage >&2; exit 2; }
    BUILD=$(readlink -f "$1") MPI=$2 PLUGIN=${3-}
    CHECK=$BUILD/tests/mpi/$MPI/check_cart
    BENCH=$BUILD/contrib/mpi/$MPI/stencilmap-bench.$MPI
    case $MPI in
        openmpi) SRUN_MPI=pmix DISTRIBUTIONS=(block cyclic plane=2) ;;
        # MPICH does not give way when it waits; see giveway.c. Still, few runs of it.
        mpich)
            SRUN_MPI=pmi2 DISTRIBUTIONS=(plane=2)
            export SLURM_EXPORT_ENV=ALL,LD_PRELOAD=$BUILD/tests/mpi/giveway.so
            ;;
        *) usage >&2; exit 2 ;;
    esac
    export OMPI_MCA_mpi_yield_when_idle=1 MPIR_CVAR_POLLS_BEFORE_YIELD=1
    local grids
    [[ $MPI == openmpi ]] && grids=2 || grids=1
    export STENCILMAP_CHECK_GRIDS=${STENCILMAP_CHECK_GRIDS:-$grids}
    RANDOM_LIMIT=$((120 * STENCILMAP_CHECK_GRIDS))
    trap '"$MINICLUSTER" down >/dev/null' EXIT
    "$MINICLUSTER" up 4 --cpus 8 ${PLUGIN:+--plugin "$(readlink -f "$PLUGIN")"} >/dev/null
    layouts
    dims
    [[ -z $PLUGIN ]] || hints
    full
    random_grids
    say "$FAILED failed"
    ((FAILED == 0))
}

main "$@"
