#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Placement launch: every rank runs on the node that the mapping names.
. "$(dirname "$0")/tap.sh"
set -f # an offset's weight is no file name

where='echo $SLURM_PROCID $(hostname)'
export where
wanted=$(stencilmap show -N4 -n32 --stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8 \
    --format=nodes)
map="--stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8"
export map

# "srun with these options runs rank r on the node that the mapping names"
placed() { # NAME SRUN-OPTIONS...
    local name=$1 got
    shift
    got=$(echo "srun $* /bin/bash -c '$where'" | in_job -N4 -n32 2>/dev/null | node_indices)
    is "$got" "$wanted" "$name"
}

placed "under --mpi=pmix" "$map --mpi=pmix"
placed "under --mpi=pmi2" "$map --mpi=pmi2"
placed "under --mpi=none" "$map --mpi=none"
placed "-N and -n before our options" "-N4 -n32 $map"
placed "-N and -n behind our options" "$map -N4 -n32"
placed "-n in the middle, --ntasks-per-node" "--stencil=5pt --ntasks-per-node=8 $map -n 32"
placed "with --export=NONE" "--export=NONE $map"
placed "with --export=ALL,X=1" "--export=ALL,X=1 $map"
placed "with --overcommit" "-O $map"
placed "placement launch typed" "$map --stencil-placement=launch"
placed "-w naming the job's nodes" "-w n[0-3] $map"

got=$(echo "srun $map bash -c '$where'" | in_job -N4 -n32 2>&1 >/dev/null)
is "$(grep stencilmap <<<"$got")" \
    "srun: stencilmap: hyperplane, 5pt on 4x8 over 4 nodes: J_sum 48 -> 24 (-50 %), J_max 16 -> 6, J_sum is optimal (launch)" \
    "one line tells before and after"

# The default grid of 32 tasks is 8x4: Slurm's own layout is as good, and stays.
out=$(echo "srun --stencil-map=hyperplane --stencil=5pt bash -c '$where'" | in_job -N4 -n32 2>&1)
like "$out" "hyperplane, 5pt on grid 8x4 assumed over 4 nodes: J_sum 24 -> 24, J_max 8 -> 8, J_sum is optimal: nothing gained, layout left alone" \
    "nothing gained is said"
is "$(grep -v stencilmap <<<"$out" | node_indices)" \
    "$(stencilmap show -N4 -n32 --stencil-map=blocked --format=nodes)" "and Slurm's layout stays"

# sbatch: options on the batch script's line reach the srun inside.
script=$(mktemp)
cat >"$script" <<X
#!/bin/bash
#SBATCH -N4 -n32 --stencil-map=hyperplane --stencil=5pt
#SBATCH --stencil-dims=4x8
srun bash -c '$where' 2>$script.err
X
sbatch -Q --wait -o "$script.out" "$script"
is "$(node_indices <"$script.out")" "$wanted" "through sbatch"
like "$(cat "$script.err")" "J_sum 48 -> 24" "and srun in the batch job tells so"
got=$(salloc -Q -N4 -n32 $map srun bash -c "$where" 2>/dev/null | node_indices)
is "$got" "$wanted" "through salloc"
got=$(salloc -Q -N4 -n32 $map srun --stencil-map=off bash -c "$where" 2>&1)
is "$(node_indices <<<"$got")" "$(stencilmap show -N4 -n32 --stencil-map=blocked --format=nodes)" \
    "--stencil-map=off on srun wins over salloc's, silently"
rm -f "$script" "$script.out" "$script.err"
got=$(STENCILMAP_OPTIONS="$map" salloc -Q -N4 -n32 srun bash -c "$where" 2>/dev/null | node_indices)
is "$got" "$wanted" "through STENCILMAP_OPTIONS"

# A bare --stencil-map is best, on the command line and handed down.
out=$(echo "srun --stencil-map --stencil-dims=4x8 true" | in_job -N4 -n32 2>&1)
like "$out" "stencilmap: best, nn on 4x8 over 4 nodes: J_sum 48 -> 24" "a bare --stencil-map is best"
out=$(salloc -Q -N4 -n32 --stencil-map --stencil-dims=4x8 srun true 2>&1)
like "$out" "stencilmap: best, nn on 4x8 over 4 nodes: J_sum 48 -> 24" "from salloc too"
out=$(STENCILMAP_OPTIONS="--stencil-map --stencil-dims=4x8" salloc -Q -N4 -n32 srun true 2>&1)
like "$out" "stencilmap: best, nn on 4x8 over 4 nodes: J_sum 48 -> 24" "and in STENCILMAP_OPTIONS"

# MPI programs see it in their processor names.
for mpi in openmpi:pmix mpich:pmi2; do
    bench=$STENCILMAP_BUILD/contrib/mpi/${mpi%:*}/stencilmap-bench.${mpi%:*}
    [ -x "$bench" ] || continue
    out=$(echo "srun --mpi=${mpi#*:} $map $bench --max=64 --repeats=2" | in_job -N4 -n32 2>&1)
    like "$out" "J_sum 48 -> 24, predicted 24" "${mpi%:*}: J_sum of the processor names is the predicted one"
done

# Other algorithms, stencils, dimensions; rank r on its node each time.
while read -r options; do
    want=$(stencilmap show -N4 -n32 $options --format=nodes)
    export options
    got=$(in_job -N4 -n32 2>/dev/null <<<'set -f; srun $options bash -c "$where"' | node_indices)
    is "$got" "$want" "$options"
done <<'X'
--stencil-map=best --stencil=5pt --stencil-dims=4x8
--stencil-map=best --stencil=27pt --stencil-dims=4x2x4 --stencil-effort=fast
--stencil-map=best --stencil=hops --stencil-dims=4x8 --stencil-objective=max
--stencil-map=kdtree --stencil=5pt --stencil-dims=2x16
--stencil-map=strips --stencil=9pt --stencil-dims=4x8
--stencil-map=nodecart --stencil=nn --stencil-dims=4x8
--stencil-map=hyperplane --stencil=7pt --stencil-dims=2x4x4
--stencil-map=hyperplane --stencil=1,0;-1,0;0,1*4;0,-1*4 --stencil-dims=4x8 --stencil-periodic=1,1
--stencil-map=hyperplane --stencil=5pt --stencil-dims=8x4,column
X

# Unequal sizes.
while read -r nodes tasks options; do
    counts=$(echo "srun $options --stencil-map=blocked bash -c '$where'" | in_job -N"$nodes" -n"$tasks" -w "n[0-$((nodes - 1))]" 2>/dev/null |
        node_indices | sort -n | uniq -c | awk '{printf "%s%s", (NR > 1 ? "," : ""), $1}')
    want=$(stencilmap show --tasks-per-node="$counts" $options --format=nodes)
    got=$(echo "srun $options bash -c '$where'" | in_job -N"$nodes" -n"$tasks" -w "n[0-$((nodes - 1))]" 2>/dev/null | node_indices)
    is "$got" "$want" "$tasks tasks on $nodes nodes ($counts): $options"
done <<'X'
3 10 --stencil-map=hyperplane --stencil=5pt --stencil-dims=2x5
3 16 --stencil-map=hyperplane --stencil=5pt --stencil-dims=4x4
4 29 --stencil-map=best --stencil=9pt --stencil-dims=29x1
3 22 --stencil-map=best --stencil=hops --stencil-dims=2x11
4 30 --stencil-map=strips --stencil=9pt --stencil-dims=5x6
4 29 --stencil-map=kdtree --stencil=nn --stencil-dims=29x1
X
plan
