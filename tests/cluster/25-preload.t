#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The MPI helper, preloaded into programs that know nothing of it: C and three kinds of Fortran, of
# both MPIs. And what is not to notice it.
. "$(dirname "$0")/tap.sh"

programs=$STENCILMAP_BUILD/tests/preload
preload=$STENCILMAP_BUILD/contrib/preload/libstencilmap_preload.so
[ -e "$programs" ] && [ -e "$preload" ] || skip_all "built without MPI"
conf=$STENCILMAP_MINICLUSTER_DIR/preload
mkdir -p "$conf"
settings() { printf '%s\n' '[stencilmap]' "$@" >"$conf/stencilmap.conf"; }
settings "mpi-helper = $preload"
echo "optional $STENCILMAP_BUILD/plugin/spank_stencilmap.so config=$conf/stencilmap.conf" >"$conf/plugstack.conf"
sed "s#^PlugStackConfig=.*#PlugStackConfig=$conf/plugstack.conf#" "$SLURM_CONF" >"$conf/slurm.conf"
# srun decides with these settings; the nodes need none of them.
export SLURM_CONF=$conf/slurm.conf MPIR_CVAR_POLLS_BEFORE_YIELD=1
map='--stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8'
comm="$map --stencil-placement=comm"

declare -A pmi=([openmpi]=pmix [mpich]=pmi2)
# The node of each cell of the grid that the program has made, as `stencilmap show --format=nodes`.
cells() { grep '^cell ' | sed 's/^cell //' | node_indices; }

for mpi in openmpi mpich; do
    step() { timeout 120 srun -Q --mpi="${pmi[$mpi]}" "$@"; } # OPTIONS... PROGRAM ARGUMENTS...
    [ -x "$programs/$mpi/plain_cart" ] || continue
    for program in plain_cart plain_cart.MPIFH plain_cart.USEMPI plain_cart.F08; do
        [ -x "$programs/$mpi/$program" ] || continue
        arguments=
        [ $program != plain_cart ] || arguments=4x8
        out=$(step -N4 -n32 $comm "$programs/$mpi/$program" $arguments 2>/dev/null)
        is "$(cells <<<"$out")" "$(stencilmap show -N4 -n32 $map --format=nodes)" "$mpi, $program: cells are where the mapping wants them"
        unlike "$out" "^wrong" "$mpi, $program: neighbours know each other"
    done
    plain=$programs/$mpi/plain_cart
    row_major=$(stencilmap show -N4 -n32 --stencil-map=blocked --stencil-dims=4x8 --format=nodes)
    is "$(step -N4 -n32 $comm "$plain" 4x8 reorder=0 | cells)" "$row_major" "$mpi: without reorder nothing changes"
    is "$(step -N4 -n32 "$plain" 4x8 | cells)" "$row_major" "$mpi: without our options nothing is preloaded"
    is "$(STENCILMAP_MPI=off step -N4 -n32 $comm "$plain" 4x8 | cells)" "$row_major" "$mpi: STENCILMAP_MPI=off"

    # A grid of half of the processes, two on each node; one smaller than the communicator.
    out=$(STENCILMAP_MPI=verbose step -N4 -n32 $comm "$plain" 4x4 part 2>&1)
    like "$out" "^stencilmap: cart 4x4 nn: J_sum 24 -> 16" "$mpi: a sub-communicator is mapped to its own nodes"
    unlike "$out" "^wrong" "$mpi: and its neighbours are right"
    out=$(step -N4 -n32 $comm "$plain" 2x3x4 periodic 2>&1)
    is "$(cells <<<"$out" | wc -l)" 24 "$mpi: a grid of 24 of 32"
    unlike "$out" "^wrong" "$mpi: with the right neighbours"

    # An MPI in the scope of a module alone, as in Python.
    out=$(step -N4 -n32 $comm "$programs/local_mpi" "$programs/$mpi/local_mpi.so" 2>&1)
    is "$(cells <<<"$out")" "$(stencilmap show -N4 -n32 $map --format=nodes)" "$mpi: loaded by a module for itself"

    # Threads that make communicators at the same time.
    out=$(step -N2 -n4 --stencil-map=hyperplane --stencil-dims=2x2 --stencil-placement=comm "$plain" 2x2 threads 2>&1)
    is "$(grep -c ^cell <<<"$out")" 8 "$mpi: two threads with a communicator each"
    unlike "$out" "^wrong" "$mpi: both right"

    # Launch, and a program that makes another grid.
    out=$(step -N4 -n32 -w 'n[0-3]' $map "$plain" 4x8 2>&1)
    is "$(cells <<<"$out")" "$(stencilmap show -N4 -n32 $map --format=nodes)" "$mpi: launch, the grid that srun was told"
    unlike "$out" "srun was told" "$mpi: needs no word"
    out=$(step -N4 -n32 -w 'n[0-3]' $map "$plain" 8x4 2>&1)
    like "$out" "^stencilmap: srun was told 4x8, the program makes 8x4: mapped anew, J_sum 56 -> 24" "$mpi: another one is said"
    is "$(grep -c 'srun was told' <<<"$out")" 1 "$mpi: once"
    out=$(step -N4 -n32 -w 'n[0-3]' $map "$plain" 8x4 reorder=0 2>&1)
    like "$out" "^stencilmap: srun was told 4x8, the program makes 8x4 without reorder" "$mpi: also where it cannot be changed"

    # In a session there is no MPI_COMM_WORLD.
    out=$(step -N4 -n32 $comm "$plain" 4x8 session 2>&1)
    [ "$(grep -c 'exit code 77' <<<"$out")" -gt 0 ] || # this MPI has none
        is "$(cells <<<"$out")" "$(stencilmap show -N4 -n32 $map --format=nodes)" "$mpi: a program of sessions"
    is "$(STENCILMAP_MPI=dims step -N4 -n32 $comm "$plain" 0x0 2>&1 | cells)" \
        "$(stencilmap show -N4 -n32 $map --format=nodes)" "$mpi: MPI_Dims_create gives the grid that srun was told"
    # A tool of the user's in front or behind: it sees the call once, and the mapping is there.
    tool=$programs/$mpi/pmpi_tool.so
    out=$(LD_PRELOAD=$tool step -N4 -n32 $comm "$plain" 4x8 2>&1)
    is "$(cells <<<"$out")" "$(stencilmap show -N4 -n32 $map --format=nodes)" "$mpi: with a PMPI tool"
    is "$(grep -c '^tool: MPI_Cart_create' <<<"$out")" 32 "$mpi: which sees the call of each process"
    out=$(step -N4 -n32 $comm env "LD_PRELOAD=$preload:$tool" "$plain" 4x8 2>&1)
    is "$(cells <<<"$out")" "$(stencilmap show -N4 -n32 $map --format=nodes)" "$mpi: with a PMPI tool behind"
    is "$(grep -c '^tool: MPI_Cart_create' <<<"$out")" 32 "$mpi: which sees it too"
done

# Programs without MPI, shells, what they start.
out=$(srun -Q -N1 -n2 --stencil-map --stencil-dims=1x2 --stencil-placement=comm bash -c 'echo "$LD_PRELOAD"; date >/dev/null; ls / >/dev/null' 2>&1 | sort -u)
is "$out" "$preload" "a shell and what it starts"
out=$(LD_PRELOAD=/lib/x86_64-linux-gnu/libm.so.6 srun -Q -N1 -n1 --stencil-map --stencil-dims=1 --stencil-placement=comm printenv LD_PRELOAD)
is "$out" "/lib/x86_64-linux-gnu/libm.so.6:$preload" "the user's own library stays, in front"
out=$(srun -Q -N1 -n1 --stencil-map --stencil-dims=1 --stencil-placement=comm bash -c 'srun -Q --overlap -n1 printenv' 2>&1 | grep -E '^(LD_PRELOAD|STENCILMAP_PRELOAD)')
is "$out" "" "a step inside of the step has none of it"
out=$(salloc -Q -N1 -n2 bash -c "srun -Q -n1 --stencil-map --stencil-dims=1 --stencil-placement=comm bash -c 'sbatch -Q -N1 -n1 --wait -o $conf/batch.out --wrap printenv'; cat $conf/batch.out" | grep -E '^(LD_PRELOAD|STENCILMAP_PRELOAD)')
is "$out" "" "nor has a job that a task submits"

# An MPI that is neither of the two: a MOCK, a library that calls itself so.
other=$programs/other_mpi
if [ -x "$other" ]; then
    out=$(srun -Q -N2 -n4 --stencil-map --stencil-dims=2x2 --stencil-placement=comm "$other" 2>&1)
    is "$(grep -c 'stencilmap: ranks stay as they are: this MPI is neither Open MPI nor of MPICH' <<<"$out")" 1 "another MPI: one line"
    is "$(grep -c '^MPI_Cart_create called well' <<<"$out")" 4 "and all is passed on"
fi

settings "mpi-helper = no"
out=$(srun -Q -N1 -n1 --stencil-map --stencil-dims=1 --stencil-placement=comm printenv 2>&1 | grep -c LD_PRELOAD)
is "$out" 0 "mpi-helper = no: not even where comm is typed"
cp "$preload" "$conf/gone.so"
settings "mpi-helper = $conf/gone.so"
out=$(srun -Q -N2 -n2 --stencil-map --stencil-dims=1x2 --stencil-placement=comm printenv LD_PRELOAD 2>&1)
is "$(grep -c gone.so <<<"$out")" 2 "another file"
plan
