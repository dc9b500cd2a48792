#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Lines that people really type (lines.txt), each without and with a mapping in one job: placement
# launch, every rank on the mapping's node, each node's masks and each task's SLURM_* variables as
# without us, no task farther from its GPU. Binding is a mock's here: see mock_affinity.c.
. "$(dirname "$0")/tap.sh"
lines=${STENCILMAP_TEST_LINES:-$(cd "$(dirname "$0")" && pwd)/lines.txt}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
cp "$STENCILMAP_BUILD/tests/whereami" prog
cat >wrapper <<'X'
#!/bin/sh
CUDA_VISIBLE_DEVICES=$SLURM_LOCALID exec "$@"
X
chmod +x wrapper
PATH=$dir:$PATH

# Variables that differ from step to step, or from rank to rank: with a mapping other ranks are here.
varying='^SLURM_(JOB_ID|JOBID|STEP_ID|STEPID|STEP_LAUNCHER_PORT|SRUN_COMM_PORT|TASK_PID|PROCID|GTIDS|PMIX_MAPPING_SERV|PMI2_.*|PMIXP_.*|LAUNCH_NODE_IPADDR|SRUN_COMM_HOST)='

# Slurm's release; from 23.02 on it chooses the cores of an exact step otherwise.
release=$(srun --version | grep -oE '[0-9]+\.[0-9]+' | head -n 1)
old_cores=$(sort -V <<<"$release"$'\n'23.02 | head -n 1 | grep -qvx 23.02 && echo yes)

# From 24.05 on --tres-per-task can set --cpus-per-task.
sets_cpus=$(sort -V <<<"$release"$'\n'24.05 | head -n 1 | grep -qx 24.05 && echo yes)

# Newer Slurms give every step of a part of the job other nodes than the last one: there a node is
# called by its place among those of its step.
by_place() {
    awk 'NR == FNR { if (!($2 in place)) place[$2] = "s" count++; next } { $2 = place[$2]; print }' \
        <(sort -k2,2 -V "$1") "$1" >"$1.by_place" && mv "$1.by_place" "$1"
}
# Lines "node: masks of its tasks, sorted".
masks() {
    awk '{ print $2, $4 }' "$1" | sort
}
# Tasks whose GPU is beside the other socket. GPUs 0 and 1 are beside socket 1 (CPUs 4-7, 12-15).
far_gpus() {
    awk '$5 != "-" {
        split($5, gpu, ","); split($4, cpu, ",")
        for (g in gpu) { near = 0
            for (c in cpu) if ((gpu[g] < 2) == (int(cpu[c] / 4) % 2 == 1)) near = 1
            far += !near } }
        END { print far + 0 }' "$1"
}

number=0
while IFS='|' read -r placement grid what headers before line <&3; do
    read -r placement <<<"$placement" && read -r grid <<<"$grid" && read -r what <<<"$what"
    case $placement in '' | \#*) continue ;; esac
    # "launch/comm": before 23.02 and from then on.
    [ "$old_cores" ] && placement=${placement%/*} || placement=${placement#*/}
    [[ $line != *--tres-per-task* || $sets_cpus ]] || continue
    number=$((number + 1))
    name="$number $what"
    line=${line# srun }
    cat >script <<X
#!/bin/bash
#SBATCH$headers
$before
echo "0-31 ./prog plain" >FILE
srun ${line//.\/prog/.\/prog plain} >plain.out 2>plain.err
# The cores of an exact step are free for the next one only when slurmctld knows that it has ended.
while squeue -h -s -j \$SLURM_JOB_ID -o %i | grep -q '\.[0-9]'; do sleep 0.1; done
echo "0-31 ./prog mapped" >FILE
srun --stencil-map=hyperplane --stencil-dims=$grid ${line//.\/prog/.\/prog mapped} >mapped.out 2>mapped.err
X
    # The same line for a preview.
    { echo '#!/bin/bash'; echo "#SBATCH$headers"; echo "$before"; tail -n 1 script; } >preview
    rm -f -- *.out *.err plain.* mapped.*
    sbatch -Q --wait -o script.out script || ok 1 "$name: the job"
    [ ! -s script.out ] || sed 's/^/# /' script.out >&2
    # Without what --label puts in front.
    for file in plain mapped; do sed 's|^ *[0-9]*: ||' $file.out | sort -n >$file; done
    tasks=$(wc -l <plain) names=$varying
    if grep -q 'Slurm chooses free ones' mapped.err; then
        by_place plain && by_place mapped
        names+='|^SLURM(D_NODENAME|_STEP_NODELIST|_TOPOLOGY_ADDR)='
    fi
    like "$(<mapped.err)" "stencilmap: hyperplane.*\($placement[):]" "$name: $placement"
    if ! [ "$old_cores" ]; then
        told=$(stencilmap plan --script=preview --topology="$STENCILMAP_ROOT/tests/data/topology/two-sockets-smt.xml" \
            --cpus-per-node='16(x4)' | sed -n '/^placement/,$p' | tr -s ' \n' ' ')
        reason=$(sed -n 's/.*(comm: \(.*\); only programs.*/\1/p' mapped.err)
        is "${told%%; where*}" "placement: $placement${reason:+: $reason }" "$name: stencilmap plan says the same"
    fi
    if [ $placement = launch ]; then
        is "$(awk '{ print $2 }' mapped | sed 's/^n//')" \
            "$(stencilmap show --tasks-per-node="$(awk '{ print $2 }' plain | sort | uniq -c | awk '{ printf "%s%s", sep, $1; sep = "," }')" \
                --stencil-map=hyperplane --stencil-dims="$grid" --format=nodes)" "$name: each of $tasks ranks is on its node"
    else
        is "$(awk '{ print $1, $2 }' mapped)" "$(awk '{ print $1, $2 }' plain)" "$name: ranks stay"
    fi
    is "$(masks mapped)" "$(masks plain)" "$name: masks of each node"
    for file in plain.0 mapped.0; do
        [ ! -e $file ] || grep -vE "$names" $file | sort >$file.sorted
    done
    is "$(cat mapped.0.sorted)" "$(cat plain.0.sorted)" "$name: SLURM_* of the tasks"
    [ "$(far_gpus mapped)" -le "$(far_gpus plain)" ]
    ok $? "$name: GPUs ($(far_gpus plain) far without us, $(far_gpus mapped) with)"
done 3<"$lines"
[ $number -gt 0 ]
ok $? "there are lines to try"
plan
