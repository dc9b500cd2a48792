#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# --stencil-watch: what is counted is what the programs have sent, by their own books.
. "$(dirname "$0")/tap.sh"

programs=$STENCILMAP_BUILD/tests/preload
preload=$STENCILMAP_BUILD/contrib/preload/libstencilmap_preload.so
[ -e "$programs" ] && [ -e "$preload" ] || skip_all "built without MPI"
dir=$STENCILMAP_MINICLUSTER_DIR/watch
rm -rf "$dir"
mkdir -p "$dir"
printf '[stencilmap]\nmpi-helper = %s\n' "$preload" >"$dir/stencilmap.conf"
echo "optional $STENCILMAP_BUILD/plugin/spank_stencilmap.so config=$dir/stencilmap.conf" >"$dir/plugstack.conf"
sed "s#^PlugStackConfig=.*#PlugStackConfig=$dir/plugstack.conf#" "$SLURM_CONF" >"$dir/slurm.conf"
export SLURM_CONF=$dir/slurm.conf MPIR_CVAR_POLLS_BEFORE_YIELD=1
# Open MPI's usual way for windows does not work where nodes are namespaces of one machine.
export OMPI_MCA_osc=pt2pt
cd "$dir" || exit 1

declare -A pmi=([openmpi]=pmix [mpich]=pmi2)
# The edges of a record or of the programs' books, each once, added up.
edges() { awk '$1 == "sent" {m[$2 " " $3] += $4; b[$2 " " $3] += $5} END {for (e in m) print e, m[e], b[e]}' "$@" | sort; }

for mpi in openmpi mpich; do
    [ -x "$programs/$mpi/sends" ] || continue
    step() { timeout 120 srun -Q --mpi="${pmi[$mpi]}" "$@"; } # OPTIONS... PROGRAM ARGUMENTS...
    out=$(step -N4 -n7 --stencil-watch="$dir/$mpi.all" "$programs/$mpi/sends" 2>&1)
    is "$(head -n 1 "$mpi.all")" "stencilmap-comm 1 7" "$mpi: a record"
    nonempty "$(edges "$mpi.all")" 14 "$mpi: edges of it"
    is "$(edges "$mpi.all")" "$(edges <<<"$out")" "$mpi: all ways to send are counted, and nothing else"
    is "$(awk '$1 == "node" {print $2, $3}' "$mpi.all" | sort -n)" "$(step -N4 -n7 bash -c 'echo $SLURM_PROCID $(hostname)' | sort -n)" "$mpi: nodes"
    is "$(grep ^cart "$mpi.all")" "cart 7 1 0" "$mpi: the grid that the program made of all"
    like "$out" "^stencilmap: watched 7 ranks.* $dir/$mpi.all" "$mpi: a line says where the record is"
    cp "$mpi.all" first
    out=$(step -N2 -n2 --stencil-watch="$dir/$mpi.all" "$programs/$mpi/sends" 2>&1)
    like "$out" "stencilmap: watched 2 ranks.* $dir/$mpi.all.2" "$mpi: a record that is there"
    is "$(cat "$mpi.all")" "$(cat first)" "$mpi: is not touched"
    is "$(edges "$mpi.all.2")" "$(edges <<<"$out")" "$mpi: two processes, each the other's left and right"

    out=$(step -N2 -n3 --stencil-watch="$dir/$mpi.threads" "$programs/$mpi/sends" threads 2>&1)
    is "$(edges "$mpi.threads")" "$(edges <<<"$out")" "$mpi: threads, no message is lost"

    out=$(step -N2 -n3 --stencil-watch="$dir/$mpi.abort" "$programs/$mpi/sends" abort 2>&1)
    is "$(edges "$mpi".abort.n* | grep '^1 ')" "$(edges <<<"$out" | grep '^1 ')" "$mpi: MPI_Abort writes its process's part"

    for flavour in MPIFH USEMPI F08; do
        [ -x "$programs/$mpi/plain_cart.$flavour" ] || continue
        step -N4 -n32 --stencil-watch="$dir/$mpi.$flavour" "$programs/$mpi/plain_cart.$flavour" >/dev/null 2>&1
        is "$(edges "$mpi.$flavour")" "$(for i in {0..31}; do echo $i $(((i + 1) % 32)) 3 16; done | sort)" "$mpi, $flavour: Fortran is counted"
        is "$(grep ^cart "$mpi.$flavour")" "cart 4x8 0,0 1" "$mpi, $flavour: its grid, too"
    done
    # Watched and mapped: the helper's own calls are not the program's, and ranks are the world's.
    step -N4 -n32 --stencil-map=hyperplane --stencil-dims=4x8 --stencil-placement=comm --stencil-watch="$dir/$mpi.mapped" "$programs/$mpi/plain_cart" 4x8 >/dev/null 2>&1
    is "$(edges "$mpi.mapped" | wc -l)" 104 "$mpi: a mapped program, its pairs"
    crossing=$(awk '$1 == "node" {on[$2] = $3} $1 == "sent" {from[$2, $3] = 1; a[++n] = $2; b[n] = $3}
        END {for (i = 1; i <= n; i++) if (on[a[i]] != on[b[i]]) c++; print c}' "$mpi.mapped")
    is "$crossing" 24 "$mpi: of which cross nodes what the mapping promises"
done

# What srun makes of it when the step is over: the line that it prints, run as printed, gives what it
# promises; and a mapping of another grid is found out.
plain=$programs/openmpi/plain_cart
if [ -x "$plain" ]; then
    out=$(srun --mpi=pmix -Q -N4 -n32 -w 'n[0-3]' --stencil-watch="$dir/next" "$plain" 4x8 2>&1 | grep ^stencilmap)
    like "$out" "^stencilmap: watched 32 ranks: 192 bytes between nodes, 48 pairs; the grid is 4x8, nn, not periodic: 100.0 % of the bytes" "the grid of a program is found"
    line=$(sed -n 's/^stencilmap: next time: \(srun .*\)     (J_sum 48 -> 24, bytes between nodes -50 %)$/\1/p' <<<"$out")
    is "$line" "srun --stencil-map --stencil-dims=4x8 --stencil=5pt --mpi=pmix -Q -N4 -n32 -w 'n[0-3]' $plain 4x8" "and the line for next time"
    out=$(eval "${line/srun/srun --stencil-watch=$dir/again}" 2>&1 | grep ^stencilmap)
    like "$out" "^stencilmap: watched 32 ranks: 96 bytes between nodes, 24 pairs; the grid is 4x8" "run as printed"
    like "$out" "^stencilmap: predicted 24 pairs between nodes, counted 24$" "it keeps its promise"
    out=$(srun --mpi=pmix -Q -N4 -n32 -w 'n[0-3]' --stencil-map=hyperplane --stencil-dims=2x16 --stencil-watch="$dir/wrong" "$plain" 4x8 reorder=0 2>&1; echo "exit code $?")
    like "$out" "^stencilmap: predicted 12 pairs between nodes, counted [0-9]+: these dims are not the program's; it looks like 4x8$" "another grid is found out"
    like "$out" "^exit code 0$" "and harms nobody"
fi

# Who asks, and for what.
srun -Q -N1 -n1 --stencil-watch true
is "$(ls | grep -c stencilmap-comm)" 0 "a program without MPI writes nothing"
out=$(salloc -Q -N2 -n2 --stencil-watch srun -Q --mpi=pmix "$programs/openmpi/sends" threads 2>&1)
like "$out" "watched 2 ranks.*$dir/stencilmap-comm\.[0-9]+\.0" "salloc hands it down, and the default name has job and step"
out=$(srun -N1 -n1 --stencil-watch=/ true 2>&1)
like "$out" "stencilmap: --stencil-watch=/: not the name of a file" "a name that is none"
out=$(srun -Q -N1 -n2 --stencil-watch=/nowhere/x --mpi=pmix "$programs/openmpi/sends" threads 2>&1)
like "$? $out" "^0 .*" "a file that cannot be written does not fail the step"
like "$out" "stencilmap: the record cannot be written to /nowhere/x: No such file" "but is said"
plan
