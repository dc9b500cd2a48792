#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Placement comm, as far as hints go (the MPI helper's own tests are in tests/mpi).
. "$(dirname "$0")/tap.sh"

fields='echo $SLURM_PROCID $(hostname) $STENCILMAP_RANK $STENCILMAP_PLACEMENT'
export fields

# The cells of the hints form a permutation, and every cell is on the node that the mapping names
# for the node sizes of the real layout.
hinted() { # NAME TASKS OPTIONS...
    local name=$1 tasks=$2 out cells sizes want
    shift 2
    out=$(echo "srun -n $tasks --stencil-placement=comm $* /bin/bash -c '$fields'" | in_job -N4 -n32 2>/dev/null)
    sizes=$(awk '{print substr($2, 2)}' <<<"$out" | sort -n | uniq -c |
        awk '{printf "%s%s", (NR > 1 ? "," : ""), $1}')
    cells=$(awk '{print $3, $2}' <<<"$out" | node_indices)
    want=$(stencilmap show --tasks-per-node="$sizes" $(grep -oE -- '-m [a-z=0-9]+' <<<"$*") $(tr ' ' '\n' <<<"$*" | grep -E '^--(stencil(=|-map|-dims|-periodic|-objective)|rank-hierarchy|distribution)') --format=nodes)
    is "$cells" "$want" "$name ($sizes)"
    is "$(awk '{print $4}' <<<"$out" | sort -u)" "comm" "$name: placement is comm"
}
map="--stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8"
hinted "block" 32 "-m block $map"
hinted "cyclic" 32 "-m cyclic $map"
hinted "plane" 32 "-m plane=4 $map"
hinted "plane that does not divide" 30 "-m plane=3 --stencil-map=hyperplane --stencil-dims=5x6"
hinted "best, cyclic" 32 "-m cyclic --stencil-map=best --stencil=hops --stencil-dims=4x8"
hinted "best, irregular" 29 "-m cyclic --stencil-map=best --stencil=9pt --stencil-dims=29x1"
hinted "best, no short form" 30 "-m cyclic --stencil-map=best --stencil=5pt --stencil-dims=5x6"
hinted "greedy" 30 "-m cyclic --stencil-map=greedy --stencil=9pt --stencil-dims=5x6"
hinted "random" 30 "--distribution=cyclic --stencil-map=random:7 --stencil=9pt --stencil-dims=5x6"
hinted "best, levels" 24 "-m cyclic --stencil-map=best --stencil=5pt --stencil-dims=4x6 --stencil-objective=levels --rank-hierarchy=socket:2,l3:2,core:2"
hinted "best, levels, irregular" 28 "-m cyclic --stencil-map=best --stencil=9pt --stencil-dims=4x7 --stencil-objective=levels --rank-hierarchy=socket:2,l3:2,core:2"
hinted "random with a seed" 32 "--distribution=cyclic --stencil-map=random:7 --stencil-dims=16x2"
hinted "uneven" 29 "-m cyclic --stencil-map=hyperplane --stencil=hops --stencil-dims=29x1"
hinted "export none" 32 "--export=NONE $map" # bash is found all the same

out=$(echo "srun -m cyclic --stencil-placement=comm $map true" | in_job -N4 -n32 2>&1)
like "$out" "stencilmap: .* J_sum 56 -> 24 .*\(comm; only programs" "before is the user's own distribution"

# Another version of the plugin on the login node, its text of the version changed in a copy: each
# node says so, and the step is as without us.
other=$STENCILMAP_MINICLUSTER_DIR/other
mkdir -p "$other"
version=$(stencilmap --version | grep -o '[0-9.]*$')
sed "s/$version/9${version:1}/g" "$STENCILMAP_BUILD/plugin/spank_stencilmap.so" >"$other/spank_stencilmap.so"
echo "optional $other/spank_stencilmap.so" >"$other/plugstack.conf"
sed "s#^PlugStackConfig=.*#PlugStackConfig=$other/plugstack.conf#" "$SLURM_CONF" >"$other/slurm.conf"
look='echo $SLURM_PROCID $(hostname) $(grep Cpus_allowed_list /proc/self/status) $(env | grep -E "^(STENCILMAP_(RANK|VERSION|CPUS|MAP)|SLURM_STENCILMAP)")'
export look map other
plain=$(in_job -N4 -n32 <<<'srun -m cyclic bash -c "$look"' | sort -n)
out=$(in_job -N4 -n32 2>&1 <<<'SLURM_CONF=$other/slurm.conf srun -m cyclic $map --stencil-placement=comm bash -c "$look"')
is "$(grep -v stencilmap: <<<"$out" | sort -n)" "$plain" "another version: masks, layout and hints as without us"
is "$(grep -c "stencilmap: srun's stencilmap is 9.*, this node's .*: tasks are left as Slurm made them" <<<"$out")" 4 \
    "and each node says so once"

# A bare srun has no node names before the step.
out=$(srun -N4 -n32 $map bash -c "$fields" 2>&1)
like "$out" "stencilmap: .*\(comm: the nodes are not known yet \(use sbatch, salloc or -w\); only programs that call" \
    "a bare srun falls back to comm and says so"
is "$(grep -c '^[0-9]* n' <<<"$out")" 32 "and runs"
out=$(srun -N4 -n32 -w n[0-3] $map bash -c 'echo $SLURM_PROCID $(hostname)' 2>/dev/null | node_indices)
is "$out" "$(stencilmap show -N4 -n32 $map --format=nodes)" "with -w it launches"
out=$(srun -N4 -n32 --stencil-placement=launch $map true 2>&1)
like "$? $out" "^[1-9]" "a bare srun with launch typed is refused"
like "$out" "stencilmap: --stencil-placement=launch: not possible: the nodes are not known yet" "with the reason"

# SLURM_HOSTFILE is the user's own layout.
hosts=$(mktemp)
for i in $(seq 32); do echo "n$((i % 4))"; done >"$hosts"
export hosts map
out=$(in_job -N4 -n32 2>&1 <<<'SLURM_HOSTFILE=$hosts srun $map bash -c "$fields"')
like "$out" "\(comm: (SLURM_HOSTFILE is set|--distribution=arbitrary fixes the layout);" "SLURM_HOSTFILE is left alone"
rm -f "$hosts"

# Heterogeneous steps: one clear line.
out=$(salloc -Q -N2 -n8 : -N2 -n8 srun --stencil-map=hyperplane --stencil-dims=2x4 -n8 true : -n8 true 2>&1)
like "$? $out" "^[1-9]" "a heterogeneous step is refused"
like "$out" "stencilmap: the components of a heterogeneous step cannot be mapped together" "with the reason"

# What was not typed on its line leaves such a step as it is without us, and says so once.
het='srun bash -c "$fields" : bash -c "$fields"'
plain=$(salloc -Q -N2 -n8 --ntasks-per-node=4 : -N2 -n8 --ntasks-per-node=4 bash -c "$het" 2>&1 | sort)
is "$(wc -l <<<"$plain")" 16 "a heterogeneous step without us"
out=$(STENCILMAP_OPTIONS='--stencil-map --stencil-dims=2x4' salloc -Q -N2 -n8 --ntasks-per-node=4 : \
    -N2 -n8 --ntasks-per-node=4 bash -c "$het" 2>&1)
is "$(grep -v stencilmap <<<"$out" | sort)" "$plain" "STENCILMAP_OPTIONS: the same layout"
is "$(grep -c 'step left alone: the components' <<<"$out")" 1 "and one line"
out=$(salloc -Q --stencil-map --stencil-dims=2x4 -N2 -n8 --ntasks-per-node=4 : \
    -N2 -n8 --ntasks-per-node=4 bash -c "$het" 2>&1)
is "$(grep -v stencilmap <<<"$out" | sort)" "$plain" "options of salloc: the same layout"
is "$(grep -c 'step left alone: the components' <<<"$out")" 1 "and one line"
plan
