#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The MPI helper under valgrind. MPI libraries have reports of their own, more or fewer with each release; so no list of
# them is kept: what counts is every report that has a function of ours in its stack.
set -euo pipefail

usage() {
    cat <<'END'
usage: valgrind.sh BUILD MPI
  BUILD   build directory of the whole project, with debug information
  MPI     openmpi or mpich
END
}

# reports FILE...: the reports in valgrind's logs that have a function of ours in them.
reports() {
    sed 's/^==[0-9]*== *$//' "$@" | awk -v RS= '/(smap_|stencilmap_|MPIX_Cart)[A-Za-z0-9_]* \(/ {print; print ""}'
}

# check NAME PROCESSES PROGRAM-ARG...
check() {
    local name=$1 processes=$2 log rc=0 found
    shift 2
    log=$(mktemp -d)
    STENCILMAP_MPI_NODE=rank%2 "mpirun.$MPI" -n "$processes" ${PRELOAD[@]+"${PRELOAD[@]}"} valgrind -q --leak-check=full \
        --show-leak-kinds=definite,indirect,possible --log-file="$log/%p" "$BUILD/tests/mpi/$MPI/$@" >"$log.out" 2>&1 || rc=$?
    found=$(reports "$log"/*)
    if ((rc == 0)) && [[ -z $found ]]; then
        echo "ok $name"
    else
        echo "FAIL $name (exit $rc)"
        grep FAIL "$log.out" || true
        echo "$found"
        FAILED=$((FAILED + 1))
    fi
    rm -r "$log" "$log.out"
}

main() {
    (($# == 2)) || { usage >&2; exit 2; }
    BUILD=$(readlink -f "$1") MPI=$2 FAILED=0 PRELOAD=()
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    export OMPI_MCA_mpi_yield_when_idle=1 MPIR_CVAR_POLLS_BEFORE_YIELD=1
    [[ $MPI == openmpi ]] || PRELOAD=(-env LD_PRELOAD "$BUILD/tests/mpi/giveway.so")
    check "random communicators" 4 check_sub --rounds=40
    check "grids, hints and graphs" 2 check_cart
    ((FAILED == 0))
}

main "$@"
