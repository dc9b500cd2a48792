#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Many steps of all kinds, two at a time: mapped, unmapped, wrong, killed, cancelled, with a slurmd
# restarted in between. None may hang or stay, and every node is idle at the end.
# STENCILMAP_TEST_STEPS: how many (default 30); STENCILMAP_TEST_SEED: in which order.
. "$(dirname "$0")/tap.sh"
steps=${STENCILMAP_TEST_STEPS:-30}
RANDOM=${STENCILMAP_TEST_SEED:-1}
map="--stencil-map=hyperplane --stencil-dims=2x8"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

kinds=(plain mapped comm order best wrong late killed cancelled inherited nothing)
step() { # KIND: the line of a step of 16 tasks on two nodes
    case $1 in
    plain) echo "srun --exact -N2 -n16 true" ;;
    mapped) echo "srun --exact -N2 -n16 -w \$pair $map true" ;;
    comm) echo "srun --exact -N2 -n16 $map true" ;;
    order) echo "srun --exact -N2 -n16 -w \$pair --rank-order=node,core true" ;;
    best) echo "srun --exact -N2 -n16 -w \$pair --stencil-map=best --stencil=9pt --stencil-dims=4x4 true" ;;
    wrong) echo "srun --exact -N2 -n16 --stencil-map=hyperplane --stencil-dims=3x8 true" ;;
    late) echo "srun --exact -N2 -n15 --stencil-map=nodecart --stencil-placement=comm true" ;;
    killed) echo "timeout -s KILL 1 srun --exact -N2 -n16 -w \$pair $map sleep 30" ;;
    cancelled) echo "srun --exact -N2 -n16 -w \$pair $map sleep 30 & srun=\$!; sleep 1; scancel -s KILL \$SLURM_JOB_ID.\$(squeue -h -s -j \$SLURM_JOB_ID -o %i | sed -n 's/.*\\.\\([0-9]*\\)\$/\\1/p' | tail -n 1); wait \$srun" ;;
    inherited) echo "STENCILMAP_OPTIONS='$map --rank-order=core' srun --exact -N2 -n16 true" ;;
    nothing) echo "srun --exact -N2 -n16 -w \$pair --stencil-map=hyperplane --stencil-dims=16x1 true" ;;
    esac
}
wanted() { # KIND: the exit codes that are right, an expression
    case $1 in
    wrong | late) echo '^[1-9]' ;;
    killed | cancelled) echo '^[1-9]' ;;
    *) echo '^0$' ;;
    esac
}

restarted=0
for ((i = 0; i < steps; i += 2)); do
    # Each in a job of its own, on the first and on the last two nodes.
    for half in 0 1; do
        kind=${kinds[RANDOM % ${#kinds[@]}]}
        [ $half = 0 ] && pair=n0,n1 || pair=n2,n3
        echo "pair=$pair; export pair; $(step "$kind")" >"$dir/script.$half"
        echo "$kind" >"$dir/kind.$half"
        (timeout -s KILL 120 salloc -Q --immediate=60 -N2 -n16 -w $pair bash "$dir/script.$half" \
            >"$dir/out.$half" 2>&1; echo $? >"$dir/code.$half") &
    done
    wait
    for half in 0 1; do
        kind=$(<"$dir/kind.$half") code=$(<"$dir/code.$half")
        [ "$code" != 137 ] || [ "$kind" = killed ] || code="$code (hung)"
        grep -qE "$(wanted "$kind")" <<<"$code"
        ok $? "$((i + half)) $kind: exit code $code"
        grep -qE "$(wanted "$kind")" <<<"$code" || sed 's/^/#   /' "$dir/out.$half" >&2
    done
    # A slurmd is restarted now and then.
    if ((i % 20 == 10)); then
        node=n$((RANDOM % 4))
        pid=$(<"$STENCILMAP_MINICLUSTER_DIR/pid/slurmd.$node")
        kill "$pid" && restarted=$((restarted + 1))
        while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
        nsenter -t "$(<"$STENCILMAP_MINICLUSTER_DIR/pid/$node")" --mount --uts --net slurmd -N "$node"
        for _ in $(seq 100); do sinfo -h -n "$node" -o %t | grep -qx idle && break; sleep 0.1; done
    fi
done
for _ in $(seq 100); do [ -n "$(squeue -h; squeue -h -s)" ] || break; sleep 0.2; done
is "$(squeue -h; squeue -h -s)" "" "no job and no step is left ($restarted restarts of a slurmd)"
is "$(sinfo -h -o %t | sed 's/plnd/idle/' | sort -u)" idle "all nodes are idle"
is "$(srun -N4 -n32 hostname | sort | uniq -c | xargs)" "8 n0 8 n1 8 n2 8 n3" "and the next step runs on all of them"
plan
