#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Where tasks run when both nodes are ours as a whole: the kernel is asked in every task, and the
# tool says what is right. All steps are in one allocation, this script's own.
[ -n "${SLURM_JOB_ID-}" ] || exec salloc -Q -N2 --exclusive "$0"
. "$(dirname "$0")/look.sh"

# Both nodes have three levels, but others: socket, numa = l3, core; socket = numa, l3, core.
while read -r tasks order; do
    lines=$(look -n $((2 * tasks)) --rank-order="$order")
    agrees "$order, $tasks tasks a node" "$lines" "$tasks" --rank-order="$order"
    is "$(our_lines)" "" "$order: nothing is said"
done <<'CASES'
16 numa,l3,core
8 0-1-2
4 1-0-2
16 block:cyclic
32 l3,core
32 1-2-0
8 pu,l3
CASES
lines=$(look -n 8 --rank-order=fake,core --rank-hierarchy=socket:2,fake:2,core:4)
agrees "a level of the user's own" "$lines" 4 --rank-order=fake,core --rank-hierarchy=socket:2,fake:2,core:4

# Several cpus a task: hardware threads, as Slurm counts.
lines=$(look -n 8 -c 4 --rank-order=numa,core)
agrees "4 cpus a task are 2 cores" "$lines" 4 -c 4 --rank-order=numa,core
lines=$(look -n 8 -c 3 --rank-order=l3,core)
agrees "3 cpus a task are 2 cores, too" "$lines" 4 -c 3 --rank-order=l3,core
lines=$(look -n 20 -c 3 --rank-order=socket)
agrees "or 3 threads where cores do not suffice" "$lines" 10 -c 3 --rank-order=socket
lines=$(look -n 16 --threads-per-core=1 --rank-order=numa,core)
agrees "--threads-per-core=1" "$lines" 8 --threads-per-core=1 --rank-order=numa,core
lines=$(look -n 8 -c 2 --hint=nomultithread --rank-order=l3)
agrees "--hint=nomultithread" "$lines" 4 -c 2 --threads-per-core=1 --rank-order=l3
lines=$(look -N1 -w v0 -n 8 --ntasks-per-core=1 --rank-order=core)
is "$(spell 3 <<<"$lines")" "$(table v0 8 --rank-order=core)" "--ntasks-per-core=1 is kept"
lines=$(look -N1 -w v0 -n 8 --ntasks-per-socket=4 --rank-order=core)
like "$(our_lines)" "node v0: tasks are left where Slurm bound them: --rank-order=core puts 8 tasks on one socket, --ntasks-per-socket=4" \
    "--ntasks-per-socket is not broken"
lines=$(look -N1 -w v1 -n 8 --ntasks-per-socket=4 --rank-order=socket,l3)
is "$(spell 3 <<<"$lines")" "$(table v1 8 --rank-order=socket,l3)" "an order that keeps it is applied"

# One task; more tasks than there is room for.
lines=$(look -N1 -w v1 -n 1 --rank-order=l3)
is "$(spell 3 <<<"$lines")" "$(table v1 1 --rank-order=l3)" "one task"
plain=$(look -N1 -w v0 -n 40 -O | awk '{print $1, $2, $3}')
lines=$(look -N1 -w v0 -n 40 -O --rank-order=numa,core)
is "$(awk '{print $1, $2, $3}' <<<"$lines")" "$plain" "more tasks than cpus are left as Slurm made them"
is "$(our_lines | wc -l)" 1 "with one line"
like "$(our_lines)" "node v0: tasks are left where Slurm bound them: 40 tasks, but only 16 cores here" "that says why"

# What the user chooses by himself stays.
for choice in "--cpu-bind=map_cpu:5,4,3,2" "--cpu-bind=cores" "--cpu-bind=none"; do
    plain=$(look -N1 -w v0 -n 4 $choice | awk '{print $1, $3}')
    is "$(look -N1 -w v0 -n 4 $choice --rank-order=numa,core | awk '{print $1, $3}')" "$plain" "$choice of the user stays"
    is "$(look -N1 -w v0 -n 4 $choice --stencil-map=hyperplane --stencil-dims=1x4 | awk '{print $1, $3}')" "$plain" \
        "$choice: also with --stencil-map"
done

# Memory.
lines=$(look -N1 -w v0 -n 4 --rank-order=numa,membind)
is "$(awk '{print $5}' <<<"$lines" | xargs)" "bind:0 bind:1 bind:2 bind:3" "memory is bound to the NUMA node of the cpus"
is "$(look -N1 -w v0 -n 4 --rank-order=numa | awk '{print $5}' | sort -u)" default "only if asked"
is "$(look -N1 -w v0 -n 4 --rank-order=numa,membind --mem-bind=none | awk '{print $5}' | sort -u)" default "--mem-bind of the user stays"

# A hierarchy that only one of the nodes has.
plain=$(look -n 8 -w v[0-1] -N2 --ntasks-per-node=4 | awk '$2 == "v1" {print $3}')
lines=$(look -n 8 -N2 --ntasks-per-node=4 --rank-order=numa,core --rank-hierarchy=socket:2,numa:2,core:4)
is "$(awk '$2 == "v0"' <<<"$lines" | spell 3)" "$(table v0 4 --rank-order=numa,core --rank-hierarchy=socket:2,numa:2,core:4)" \
    "a node with the named levels is bound"
is "$(awk '$2 == "v1" {print $3}' <<<"$lines")" "$plain" "one without them is left alone"
is "$(our_lines | wc -l)" 1 "with one line"
like "$(our_lines)" "stencilmap: node v1: tasks are left where Slurm bound them: --rank-hierarchy=.*socket:2, l3:4, core:2" "naming its true levels"

# The report.
look -n 4 -N2 --rank-order=numa,core --stencil-report=full >"$scratch/lines"
is "$(grep -c '^stencilmap: node v[01], socket:2 .*: bound by --rank-order$' "$said")" 2 "the full report has a table for each node"
is "$(awk '/node v0/ {on = 1; next} /^stencilmap/ {on = 0} on && $1 ~ /^[0-9]/ {print $1, $3}' "$said" | xargs)" \
    "$(awk '$2 == "v0" {print $1, $3}' "$scratch/lines" | xargs)" "with the cpus of each task"

# --overlap with a step that has all.
srun -n 2 -N2 sleep 20 &
lines=$(look --overlap -n 8 --rank-order=l3,core)
kill $! 2>/dev/null
wait 2>/dev/null
agrees "--overlap" "$lines" 4 --rank-order=l3,core
plan
