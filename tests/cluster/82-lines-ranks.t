#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A grid that is part of a step's ranks, on nodes of nine and eight tasks: the others stay where they
# are without us, each rank of the grid is where the tool says, and each node keeps its masks (which
# are a mock's here: see mock_affinity.c).
. "$(dirname "$0")/tap.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
cp "$STENCILMAP_BUILD/tests/whereami" where
cat >prog <<'X'
#!/bin/sh
echo "$(./where) ${STENCILMAP_RANK:--} ${STENCILMAP_COORDS:--} ${STENCILMAP_RANKS:--} ${STENCILMAP_VERSION:--} ${STENCILMAP_CPUS:--}"
X
chmod +x prog

# What becomes of it, ranks, grid, and what else is typed; an order of cores without us too.
cat >cases <<'X'
launch 2-33 4x8
launch 0-31 4x8
launch 2-33 4x8 -m cyclic
launch 0-31 4x8 -m cyclic
launch 1-32 8x4 -m plane=3
launch 9-33 5x5
launch 2-33 8x4,column --rank-order=core
comm 0-31 4x8 -m cyclic --rank-order=socket,core --stencil-placement=comm
comm 2-33 4x8 --stencil-placement=comm
comm 0-31 4x8 -m cyclic --stencil-placement=comm
comm 9-33 5x5 -m block --stencil-placement=comm
none 1-32 1x32
X
in_job -N4 --ntasks-per-node=9 2>job.err <<'X' || ok 1 "the job"
number=0
while read -r placement ranks grid options <&3; do
    number=$((number + 1))
    plain=$(sed 's/--stencil[^ ]*//' <<<"$options")
    srun -n34 $plain ./prog >$number.plain 2>$number.err
    srun -n34 --stencil-map=hyperplane --stencil-dims=$grid --stencil-ranks=$ranks $options ./prog \
        >$number.mapped 2>$number.err
done 3<cases
srun -n34 --stencil-map=hyperplane --stencil-dims=4x8 --stencil-ranks=2-33 --stencil-report=full true 2>report
printf '%s\n' '0-1 ./prog server' '2-33 ./prog' >programs
srun -n34 --stencil-map=hyperplane --stencil-ranks=2-33 --multi-prog programs >several.out 2>several.err
for wrong in --stencil-dims=4x8 '--stencil-dims=4x8 --stencil-ranks=2-34' \
    '--stencil-dims=4x8 --stencil-ranks=2-32' --stencil-ranks=9-2; do
    srun -n34 --stencil-map=hyperplane $wrong echo "$wrong: it runs"
done >refused 2>&1
srun -n34 --stencil-ranks=2-33 echo it runs >>refused 2>&1
true
X

number=0
while read -r placement ranks grid options; do
    number=$((number + 1))
    name="$ranks of 34, $grid${options:+ $options}"
    first=${ranks%-*} last=${ranks#*-}
    sort -n $number.plain >plain && sort -n $number.mapped >mapped
    sizes=$(awk '{ print $2 }' plain | sort | uniq -c | awk '{ printf "%s%s", sep, $1; sep = "," }')
    [[ $options == *plane* ]] || is "$sizes" 9,9,8,8 "$name: tasks on the nodes"
    distribution=$(grep -oE -- '-m [^ ]+' <<<"$options")
    show="stencilmap show --tasks-per-node=$sizes $distribution --stencil-map=hyperplane --stencil-dims=$grid --stencil-ranks=$ranks"
    case $placement in
    launch) said='\(launch\)' ;;
    comm) said='\(comm' ;;
    none) said='nothing gained' ;;
    esac
    like "$(<$number.err)" "stencilmap: hyperplane.* on $grid \(ranks $ranks\) over .*$said" "$name: $placement"
    is "$(wc -l <mapped)" 34 "$name: all tasks ran"
    if [ $placement = launch ]; then
        is "$(awk '{ print $2 }' mapped)" "$($show -w n[0-3] --format=hostfile)" "$name: each rank is on its node"
    else
        is "$(awk '{ print $1, $2 }' mapped)" "$(awk '{ print $1, $2 }' plain)" "$name: ranks stay"
    fi
    if [ $placement = comm ]; then
        is "$(awk '$6 != "-" { print $6, $2 }' mapped | node_indices)" "$($show --format=nodes)" \
            "$name: the cells told on each node are the mapping's"
    else
        is "$(awk -v first=$first '$6 != "-" { print $1 - first - $6 }' mapped | sort -u)" 0 "$name: ranks are cells"
    fi
    outside="\$1 < $first || \$1 > $last"
    is "$(awk "$outside { print \$6, \$7 }" mapped | sort -u)" "- -" "$name: the others are told no cell"
    is "$(awk '{ print $8, ($9 != "-"), ($10 != "-") }' mapped | sort -u)" "$ranks 1 1" \
        "$name: all are told the ranks, the version and their cpus"
    is "$(awk "$outside { print \$1, \$2, \$3, \$4 }" mapped)" "$(awk "$outside { print \$1, \$2, \$3, \$4 }" plain)" \
        "$name: the others have node, local id and mask as without us"
    is "$(awk '{ print $2, $4 }' mapped | sort)" "$(awk '{ print $2, $4 }' plain | sort)" "$name: masks of each node"
done <cases
is $number 12 "all cases"
is "$(grep -l 'on 5x5 (ranks 9-33) over 3 nodes' ./*.err | wc -l)" 2 "a node without a rank of the grid takes no part"

like "$(<several.err)" 'stencilmap: hyperplane.* on grid 8x4 assumed \(ranks 2-33\) over' "--multi-prog: the ranks say what the grid is"
is "$(wc -l <several.out)" 34 "--multi-prog: all tasks ran"
like "$(<report)" '^ *0 +- +- ' "the table of a node: a task outside has no cell"
like "$(<refused)" 'error: stencilmap: --stencil-dims=4x8: product 32 is not the number of tasks 34; if the grid is part of the ranks, say which: --stencil-ranks=0-31' \
    "dims that multiply to less name the option"
like "$(<refused)" 'error: stencilmap: --stencil-ranks=2-34: the last of 34 tasks is rank 33' "a rank that is not there"
like "$(<refused)" 'error: stencilmap: --stencil-dims=4x8: product 32 is not the number of ranks 31 in --stencil-ranks=2-32' \
    "dims that are another number"
like "$(<refused)" 'error: stencilmap: --stencil-ranks=9-2: the first rank comes after the last one' "no range"
like "$(<refused)" 'error: stencilmap: --stencil-ranks=2-33: there is no --stencil-map for it' "no mapping"
unlike "$(<refused)" 'it runs' "none of these ran"
plan
