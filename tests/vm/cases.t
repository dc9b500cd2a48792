#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Cases of --rank-order that do not depend on what confines a step: orders, tasks of several cpus,
# limits, memory, the report. See binding.t.
[ -n "${SLURM_JOB_ID-}" ] || exec salloc -Q --immediate=60 -N2 --exclusive "$0"
. "$(dirname "$0")/look.sh"
case $TASK_PLUGIN in *cgroup*) skip_all "runs with task/affinity alone" ;; esac

while read -r tasks order; do
    lines=$(look -n $((2 * tasks)) --rank-order="$order")
    agrees "$order, $tasks tasks a node" "$lines" "$tasks" --rank-order="$order"
done <<'CASES'
4 1-0-2
8 block:cyclic
32 1-2-0
4 pu,l3
CASES
lines=$(look -n 8 --rank-order=fake,core --rank-hierarchy=socket:2,fake:2,core:4)
agrees "a level of the user's own" "$lines" 4 --rank-order=fake,core --rank-hierarchy=socket:2,fake:2,core:4

# Several cpus a task: hardware threads, as Slurm counts. Such a step owns as many as it asks for.
while read -r tasks options; do
    part v0 "$(union v0 "$(look_alone -N1 -w v0 -n "$tasks" $options)")"
    lines=$(look_alone -N1 -w v0 -n "$tasks" $options --rank-order=numa,core)
    is "$(spell 3 <<<"$lines")" "$(table v0.part "$tasks" $options --rank-order=numa,core)" "$tasks tasks, $options"
done <<'CASES'
4 -c 4
4 -c 3
CASES
lines=$(look -N1 -w v0 -n 8 --threads-per-core=1 --rank-order=numa,core)
is "$(spell 3 <<<"$lines")" "$(table v0 8 --threads-per-core=1 --rank-order=numa,core)" "--threads-per-core=1"
lines=$(look -N1 -w v1 -n 8 -c 2 --hint=nomultithread --rank-order=l3)
is "$(spell 3 <<<"$lines")" "$(table v1 8 -c 2 --threads-per-core=1 --rank-order=l3)" "--hint=nomultithread, two cpus a task"

# Limits of the user.
lines=$(look -N1 -w v0 -n 8 --ntasks-per-core=1 --rank-order=core)
is "$(spell 3 <<<"$lines")" "$(table v0 8 --rank-order=core)" "--ntasks-per-core=1 is kept"
look -N1 -w v0 -n 8 --ntasks-per-socket=4 --rank-order=core >/dev/null
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
for choice in cores none; do
    plain=$(look -N1 -w v0 -n 4 --cpu-bind=$choice | awk '{print $1, $3}')
    is "$(look -N1 -w v0 -n 4 --cpu-bind=$choice --rank-order=numa,core | awk '{print $1, $3}')" "$plain" "--cpu-bind=$choice of the user stays"
done

# Memory.
lines=$(look -N1 -w v0 -n 4 --rank-order=numa,membind)
is "$(awk '{print $5}' <<<"$lines" | xargs)" "bind:0 bind:1 bind:2 bind:3" "memory is bound to the NUMA node of the cpus"
is "$(look -N1 -w v0 -n 4 --rank-order=numa | awk '{print $5}' | sort -u)" default "only if asked"
is "$(look -N1 -w v0 -n 4 --rank-order=numa,membind --mem-bind=none | awk '{print $5}' | sort -u)" default "--mem-bind of the user stays"

# The report: one table for each node, in one piece.
lines=$(look -n 8 --rank-order=numa,core --stencil-report=full)
is "$(grep -cE '^stencilmap: node v[01], socket:2 .*: bound by --rank-order$' "$said")" 2 "the full report has a table for each node"
is "$(awk '/node v1/ {on = 1; next} /^stencilmap/ {on = 0} on && $1 ~ /^[0-9]/ {print $1, $3}' "$said")" \
    "$(awk '$2 == "v1" {print $1, $3}' <<<"$lines")" "with the cpus of each task"
unlike "$(sinfo -h -N -o '%T %E')" "drain|down|fail" "no node has drained"
plan
