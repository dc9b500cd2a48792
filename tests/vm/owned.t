#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Steps that own a part of a node because of generic resources, and nodes whose second hardware
# threads the kernel has switched off. Slurm's own choice for the same step, without an order, says
# which cores are the step's.
[ -n "${SLURM_JOB_ID-}" ] || exec salloc -Q --immediate=60 -N2 --exclusive --gres=tic:2 "$0"
. "$(dirname "$0")/look.sh"

# The order goes over those cores that Slurm's own step has. The tool counts hardware threads that
# are there: where they are off, a task of two cpus is a task of one.
goes_over_the_steps_cores() { # NAME NODE TASKS CPUS-FOR-THE-TOOL ORDER SRUN-OPTIONS...
    local name=$1 node=$2 tasks=$3 cpus=$4 order=$5 lines
    shift 5
    part "$node" "$(union "$node" "$(look_alone -N1 -w "$node" -n "$tasks" -c 2 "$@")")"
    lines=$(look_alone -N1 -w "$node" -n "$tasks" -c 2 "$@" --rank-order="$order")
    is "$(our_lines)" "" "$name: nothing is said"
    is "$(spell 3 <<<"$lines")" "$(table "$node.part" "$tasks" -c "$cpus" --rank-order="$order")" \
        "$name: the order over the step's cores"
}

# Each resource belongs to four cores of a socket; the step gets the cores beside it.
goes_over_the_steps_cores "one resource" v0 2 2 core --exact --gres=tic:1
goes_over_the_steps_cores "both resources" v0 8 2 socket,core --exact --gres=tic:2

# No second threads any more: every core is still there, and still two cpus to Slurm.
second_threads() { # on|off NODE
    "$STENCILMAP_VMCLUSTER" exec "$2" "echo $1 >/sys/devices/system/cpu/smt/control && cat /sys/devices/system/cpu/smt/control"
}
for node in v0 v1; do
    cp "$scratch/$node.xml" "$scratch/$node.whole"
    is "$(second_threads off $node)" off "$node: the kernel can switch second threads off"
    "$STENCILMAP_VMCLUSTER" exec $node "lstopo-no-graphics --of xml" >"$scratch/$node.xml"
    goes_over_the_steps_cores "$node, second threads off" $node 12 1 socket,core
    goes_over_the_steps_cores "$node, second threads off, a part" $node 5 1 core --exact
    is "$(second_threads on $node)" on "$node: and on again"
    mv "$scratch/$node.whole" "$scratch/$node.xml"
done
unlike "$(sinfo -h -N -o '%T %E')" "drain|down|fail" "no node has drained"
plan
