#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Wrong values stop srun before launch, with one line of ours and a non-zero exit, whether
# plugstack says optional or required; nothing drains.
. "$(dirname "$0")/tap.sh"

marker=$(mktemp -u)
line=$(ls "$STENCILMAP_MINICLUSTER_DIR"/etc/plugstack.conf.d/*.conf)
original=$(cat "$line")

# Each line: the options, then " # ", then what our line must say.
cases=$(
    cat <<'X'
--stencil-map= # --stencil-map=: one of blocked, hyperplane, kdtree, strips, nodecart, best
--stencil-map=best --stencil-effort= # --stencil-effort=: one of fast, normal, thorough
--stencil-map=best --stencil-effort=much # --stencil-effort=much: not one of fast, normal, thorough
--stencil-map=best --stencil-objective=min # --stencil-objective=min: not one of sum, max
--stencil-effort=fast # --stencil-effort=fast: there is no --stencil-map for it
--stencil-map=fastest # --stencil-map=fastest: not one of blocked, hyperplane, kdtree, strips, nodecart
--stencil-map=hyperplane --stencil= # --stencil=: one of nn, 
--stencil-map=hyperplane --stencil=6pt # --stencil=6pt: neither a stencil name
--stencil-map=hyperplane --stencil=1,0;0 # --stencil=1,0;0: an offset has 1 components, the grid has 2
--stencil-map=hyperplane --stencil=1,99999999999999999999 # --stencil=1,99999999999999999999: neither
--stencil-map=hyperplane --stencil=0,0 # --stencil=0,0: no offset but the cell itself
--stencil-map=hyperplane --stencil-dims= # --stencil-dims=: sizes like 50x48
--stencil-map=hyperplane --stencil-dims=4x # --stencil-dims=4x: not sizes like 50x48
--stencil-map=hyperplane --stencil-dims=0x8 # --stencil-dims=0x8: not sizes like 50x48
--stencil-map=hyperplane --stencil-dims=4x7 # --stencil-dims=4x7: product 28 is not the number of tasks 32
--stencil-map=hyperplane --stencil-dims=65536x65536 # --stencil-dims=65536x65536: more than 4294967295 cells
--stencil-map=hyperplane --stencil-dims=4x8 --stencil=7pt # --stencil=7pt: is for 3 dimensions, the grid has 2
--stencil-map=hyperplane --stencil-periodic= # --stencil-periodic=: a 0 or 1 per dimension
--stencil-map=hyperplane --stencil-periodic=2,0 # --stencil-periodic=2,0: not a 0 or 1 per dimension
--stencil-map=hyperplane --stencil-periodic=1,0,1 # --stencil-periodic=1,0,1: 3 flags for 2 dimensions
--stencil-map=hyperplane --stencil-placement= # --stencil-placement=: one of auto, launch, comm
--stencil-map=hyperplane --stencil-placement=here # --stencil-placement=here: not one of auto, launch, comm
--stencil-map=hyperplane --stencil-placement=launch -N2 -n16 # --stencil-placement=launch: not possible: the step takes 2 of the job's 4 nodes
--stencil-map=hyperplane --stencil-report=loud # --stencil-report=loud: not one of on, full
--stencil-map=nodecart -n 30 # --stencil-map=nodecart: nodecart needs the same number of tasks
--stencil=5pt # --stencil=5pt: there is no --stencil-map for it
--stencil-dims=4x8 # --stencil-dims=4x8: there is no --stencil-map for it
--rank-order= # --rank-order=: levels like numa,l3,core
--rank-order=0-0 # --rank-order=0-0: 
--rank-order=numa,numa # --rank-order=numa,numa: 
--rank-order=warp # --rank-order=warp: 
--rank-order=core --rank-hierarchy= # --rank-hierarchy=: levels like 2,2,8
--rank-order=core --rank-hierarchy=2,0 # --rank-hierarchy=2,0: 
--rank-order=core --rank-hierarchy=99999999999,99999999999 # --rank-hierarchy=99999999999,99999999999: 
--rank-order=numa --rank-hierarchy=node:4 # --rank-order=numa: no level 'numa' here
--rank-hierarchy=2,2 # --rank-hierarchy=2,2: there is no --rank-order or --stencil-map for it
X
)
export cases marker

for word in optional required; do
    sed -i "s/^[a-z]*/$word/" "$line"
    results=$(
        in_job -N4 -n32 2>&1 <<'X'
while IFS= read -r case; do
    options=${case%% # *}
    srun $options touch "$marker" 2>"$marker.err"
    echo "$? $(grep -c 'stencilmap:' "$marker.err") $(grep -m1 'stencilmap:' "$marker.err")"
    [ -e "$marker" ] && echo launched && rm -f "$marker"
done <<<"$cases"
X
    )
    unlike "$results" '^launched' "$word: nothing was launched"
    while IFS= read -r case <&3 && IFS= read -r got <&4; do
        options=${case%% # *}
        text=${case##* # }
        case $got in
        "0 "*) ok 1 "$word: $options: exit code 0" ;;
        [1-9]*" 1 "*"stencilmap: $text"*) ok 0 "$word: $options" ;;
        *)
            ok 1 "$word: $options"
            echo "#   wanted: $text" >&2
            echo "#   got:    $got" >&2
            ;;
        esac
    done 3<<<"$cases" 4<<<"$results"
done
printf '%s\n' "$original" >"$line"
rm -f "$marker.err"

# sbatch and salloc refuse the same values before they submit.
out=$(sbatch --stencil-map=fastest --wrap=true 2>&1)
like "$? $out" "^[1-9].*" "sbatch refuses"
like "$out" "stencilmap: --stencil-map=fastest: not one of" "and says why"
out=$(salloc --stencil-dims=4x salloc true 2>&1)
like "$? $out" "^[1-9].*" "salloc refuses"
like "$out" "stencilmap: --stencil-dims=4x: not sizes like" "and says why"

# What was typed elsewhere and does not fit leaves the step alone and says so once.
out=$(salloc -Q -N4 -n32 --stencil-map=hyperplane --stencil-dims=4x8 \
    srun -n 12 bash -c 'echo ran' 2>&1)
is "$(grep -c ran <<<"$out")" 12 "an inherited directive that does not fit lets the step run"
is "$(grep -c stencilmap: <<<"$out")" 1 "and one line says so"
like "$out" "step left alone: --stencil-dims=4x8: product 32 is not the number of tasks 12" "with the reason"
out=$(STENCILMAP_OPTIONS="--stencil-map=hyperplane --nonsense" salloc -Q -N4 -n32 srun bash -c 'echo ran' 2>&1)
like "$out" "STENCILMAP_OPTIONS: '--nonsense' is left out" "a word of STENCILMAP_OPTIONS that is no option"

out=$(srun --stencil-map=help)
like "$? $out" "^0" "help is no error"
like "$out" "^  hyperplane " "and lists the algorithms"
like "$(srun --stencil=help)" "crank-nicolson" "and the stencils"

states=$(sinfo -h -o %t | sort -u)
unlike "$states" "drain|down|fail" "no node has drained"
plan
