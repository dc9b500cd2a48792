#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Which steps srun can place, and that the others run as well as without us.
. "$(dirname "$0")/tap.sh"
where='echo $SLURM_PROCID $(hostname)'
map="--stencil-map=hyperplane --stencil=5pt"
export where map

# A step that takes part of its job's nodes leaves their choice to Slurm: two run side by side.
for from in typed environment; do
    options=$map
    [ $from = typed ] || options=
    out=$([ $from = typed ] || export STENCILMAP_OPTIONS=$map; export options
        in_job -N4 -n32 2>&1 <<'X'
for step in a b; do
    srun $options --stencil-dims=2x8 -N2 -n16 --exact sh -c 'hostname >>'$0.$step'; sleep 3; echo '$step' ended $(date +%s)' &
done
wait
cat $0.a $0.b | sort | uniq -c | sort -k2 | xargs
rm -f $0.a $0.b
X
    )
    is "$(grep -c 'hosts\|ended' <<<"$out")" 32 "$from: all tasks of two steps on two nodes each have run"
    like "$out" "8 n0 8 n1 8 n2 8 n3" "$from: on nodes of their own"
    ends=$(sed -n 's/.* ended //p' <<<"$out" | sort -n)
    [ $(($(tail -n 1 <<<"$ends") - $(head -n 1 <<<"$ends"))) -le 2 ]
    ok $? "$from: at the same time"
    like "$out" "comm: the step takes 2 of the job's 4 nodes, and Slurm chooses free ones \(name them with -w\)" \
        "$from: the reason"
done
out=$(in_job -N4 -n32 2>&1 <<<'srun $map --stencil-dims=2x8 -N2 -n16 -w n2,n3 bash -c "$where"')
like "$out" "2x8 over 2 nodes.*\(launch\)" "-w names the part: launch"
is "$(grep -v stencilmap <<<"$out" | node_indices | sort | uniq -c | xargs)" "8 2 8 3" "on these nodes"

# With a node down a step of the others runs.
out=$(in_job -N4 -n32 --no-kill 2>&1 <<'X'
scontrol update nodename=n3 state=down reason=test
srun $map --stencil-dims=4x6 -N3 -n24 --immediate=20 bash -c "$where"
scontrol update nodename=n3 state=resume
X
)
is "$(grep -E '^[0-9]+ n' <<<"$out" | node_indices | sort | uniq -c | xargs)" "8 0 8 1 8 2" "--no-kill and a node down: runs on the others"

# -N as a range, components of a heterogeneous job.
out=$(in_job -N4 -n32 2>&1 <<<'srun $map --stencil-dims=4x8 -N2-4 -n32 bash -c "$where"')
like "$out" "comm: --nodes=2-4 leaves the number of nodes to Slurm" "-N as a range"
is "$(grep -vc stencilmap <<<"$out")" 32 "and the step runs"
for group in 0 1; do
    out=$(salloc -Q -N2 -n8 --ntasks-per-node=4 : -N2 -n8 --ntasks-per-node=4 \
        srun $map --stencil-dims=2x4 --het-group=$group bash -c "$where" 2>&1)
    like "$out" "2x4 over 2 nodes: J_sum 8 -> 4.*\(launch\)" "--het-group=$group: launch"
    is "$(grep -v stencilmap <<<"$out" | node_indices | xargs)" "$(stencilmap show -N2 -n8 $map --stencil-dims=2x4 \
        --format=nodes | awk -v first=$((2 * group)) '{ print $1 + first }' | xargs)" "on its own nodes"
done
out=$(salloc -Q -N2 -n8 --ntasks-per-node=4 : -N2 -n8 --ntasks-per-node=4 \
    srun $map --stencil-dims=2x4 bash -c "$where" 2>&1)
like "$out" "2x4 over 2 nodes: J_sum 8 -> 4.*\(launch\)" "a step of a heterogeneous job without --het-group: launch"

# A default of the site yields to a layout that was typed; a typed mapping does not.
out=$(in_job -N4 -n32 2>&1 <<<'srun $map --stencil-dims=4x8 -m cyclic bash -c "$where"')
like "$out" "J_sum 56 -> 24.*\(launch\)" "a typed mapping beside -m: launch, and that layout is what it is compared with"

# "plnd" is idle, with plans.
states=$(sinfo -h -o %t | sed 's/plnd/idle/' | sort -u)
is "$states" idle "all nodes are idle"
plan
