#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Which masks change hands: none in comm, none where sockets were typed, none of tasks with GPUs, but
# where Slurm binds these by the masks (22.05 does). Nodes of two sockets with two GPUs each; masks are a mock's
# (see mock_affinity.c), GPUs are chosen by Slurm.
. "$(dirname "$0")/tap.sh"
dir=$(mktemp -d)
line=$(ls "$STENCILMAP_MINICLUSTER_DIR"/etc/plugstack.conf.d/*.conf)
original=$(cat "$line")
trap 'rm -rf "$dir"; echo "$original" >"$line"' EXIT
printf '%s config=%s\n' "$original" "$dir/site" >"$line"
cp "$STENCILMAP_BUILD/tests/whereami" "$dir/prog"
cat >"$dir/wrapper" <<'X'
#!/bin/sh
CUDA_VISIBLE_DEVICES=$((SLURM_LOCALID % 4)) exec "$@"
X
chmod +x "$dir/wrapper"
export PATH=$dir:$PATH dir

# Lines "node, local id: CPUs GPUs", and "node: CPUs of all".
by_task() { awk '{ print $2, $3 ":", $4, $5 }' "$1" | sort; }
by_node() { awk '{ print $2 ":", $4 }' "$1" | sort; }
# Tasks whose GPU is beside the other socket: GPUs 0 and 1 are beside CPUs 4-7 and 12-15.
far() {
    awk '$5 != "-" { split($4, cpu, ","); split($5, gpu, ",")
        far += (gpu[1] < 2) != (int(cpu[1] / 4) % 2 == 1) } END { print far + 0 }' "$1"
}

# What is to become of the masks, the placement, the site's order ("-": none), the job, the line.
number=0
while IFS='|' read -r masks placement order job line_ <&3; do
    read -r masks <<<"$masks" && read -r placement <<<"$placement" && read -r order <<<"$order"
    [ "$masks" != 22.05 ] || case $(srun --version) in *22.05*) masks=move ;; *) masks=stay ;; esac
    number=$((number + 1))
    name="$line_"
    [ "$order" = - ] || name="$name, the site has $order"
    export line_ placement
    rm -f "$dir/site"
    # shellcheck disable=SC2086
    in_job $job >"$dir/plain" 2>"$dir/plain.err" <<<"srun $line_ prog"
    [ "$order" = - ] || printf '[stencilmap]\nrank-order = %s\n' "$order" >"$dir/site"
    # shellcheck disable=SC2086
    in_job $job >"$dir/mapped" 2>"$dir/mapped.err" \
        <<<"srun --stencil-map=hyperplane --stencil-dims=4x$(($(wc -l <"$dir/plain") / 4)) --stencil-placement=$placement $line_ prog"
    ok $(($(wc -l <"$dir/plain") < 16)) "$name: runs without us"
    like "$(<"$dir/mapped.err")" "stencilmap: hyperplane.*\($placement" "$name: $placement"
    is "$(by_node "$dir/mapped")" "$(by_node "$dir/plain")" "$name: each node has its masks"
    if [ "$masks" = stay ]; then
        is "$(by_task "$dir/mapped")" "$(by_task "$dir/plain")" "$name: each task has its mask and its GPU"
    else
        [ "$(by_task "$dir/mapped")" != "$(by_task "$dir/plain")" ]
        ok $? "$name: masks change hands"
    fi
    [ "$(far "$dir/mapped")" -le "$(far "$dir/plain")" ]
    ok $? "$name: no GPU is farther ($(far "$dir/plain") without us, $(far "$dir/mapped") with)"
done 3<<'X'
move | launch | - | -N4 -n32 --exclusive | -N4 -n32
stay | comm | - | -N4 -n32 --exclusive | -N4 -n32 -m cyclic
stay | launch | - | -N4 -n32 --exclusive | -N4 -n32 -m block:cyclic
stay | launch | socket,core | -N4 -n32 --exclusive | -N4 -n32 -m block:block
stay | launch | - | -N4 -n32 --exclusive --gpus-per-node=4 | -N4 -n32
stay | launch | - | -N4 -n16 --exclusive --gpus-per-node=4 | -N4 -n16 -c2 wrapper
stay | launch | socket,core | -N4 -n16 --exclusive --gpus-per-node=4 | -N4 -n16 -c2
stay | launch | - | -N4 -n16 --exclusive --gpus-per-node=4 | -N4 -n16 -c2 --gpu-bind=map_gpu:2,0,3,1
stay | launch | - | -N4 -n16 --exclusive | -N4 -n16 -c2 --gpus-per-task=1
22.05 | launch | - | -N4 -n32 --exclusive --gpus-per-node=4 | -N4 -n32 --gpu-bind=closest
X
plan
