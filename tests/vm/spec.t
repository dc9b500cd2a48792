#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Cores that the job has left to the system (--core-spec) are no step's, whatever the order.
[ -n "${SLURM_JOB_ID-}" ] || exec salloc -Q --immediate=60 -N2 --exclusive --core-spec=3 "$0"
. "$(dirname "$0")/look.sh"
case $TASK_PLUGIN in *cgroup*) ;; *) skip_all "runs with task/cgroup too" ;; esac

for node in v0 v1; do
    plain=$(look_alone -N1 -w $node -n 13)
    part $node "$(union $node "$plain")"
    is "$(union $node "$plain" | tr ',' '\n' | wc -l)" 26 "$node: 13 cores of two threads are the job's"
    for order in numa,core l3,core 0-1-2; do
        lines=$(look_alone -N1 -w $node -n 13 --rank-order=$order)
        wanted=$(table $node.part 13 --rank-order=$order)
        if [ -n "$wanted" ] && ! [[ $wanted = *"no table"* ]]; then
            is "$(spell 3 <<<"$lines")" "$wanted" "$node: $order goes round these"
        else
            is "$(awk '{print $3}' <<<"$lines")" "$(awk '{print $3}' <<<"$plain")" "$node: $order does not fit, tasks stay"
        fi
    done
done
unlike "$(sinfo -h -N -o '%T %E')" "drain|down|fail" "no node has drained"
plan
