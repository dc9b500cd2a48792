#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A step without our options has the same environment, affinity and layout as with the plugin not
# loaded; and what the plugin causes does not leak into nested sruns.
. "$(dirname "$0")/tap.sh"

line=$(ls "$STENCILMAP_MINICLUSTER_DIR"/etc/plugstack.conf.d/*.conf)
original=$(cat "$line")
probe='
{
    env | grep -vE "^(SLURM_(JOB_?ID|JOBID|STEP_?ID|STEPID|TASK_PID|LAUNCH_NODE_IPADDR|SRUN_COMM_PORT|STEP_LAUNCHER_PORT|JOB_START_TIME|JOB_END_TIME|STEP_RESV_PORTS|PMIXP_ABORT_AGENT_PORT)|PMIX_|PMI_|_=|TMPDIR)" | sed "s/slurm\.pmix\.[0-9.]*//; s/\(_precondition_transports\)=.*/\1/"
    grep Cpus_allowed_list /proc/self/status
    hostname
} | sort | sed "s/^/$SLURM_PROCID /"'
export probe

# All that a task can see, for several kinds of steps. Without the plugin, with it, without.
look() {
    in_job -N4 -n32 <<'X'
srun bash -c "$probe" | sort
srun -n 7 -m cyclic bash -c "$probe" | sort
srun -N2 -n 8 -c 2 --cpu-bind=none --mpi=none bash -c "$probe" | sort
srun --export=NONE -n 3 /bin/bash -c "$probe" | sort
X
}
: >"$line"
without=$(look)
printf '%s\n' "$original" >"$line"
with=$(look)
is "$with" "$without" "environment, affinity and layout are those without the plugin"
ok $(($(wc -l <<<"$without") < 1000)) "the comparison saw $(wc -l <<<"$without") lines"

# With our options nothing of ours but the hints is seen, and nothing of Slurm's has changed but
# what tells the layout.
seen=$(
    in_job -N4 -n32 <<'X'
srun --stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8 bash -c 'env | sed "s/=.*//" | sort -u' 2>/dev/null | sort -u >/tmp/with.$$
srun bash -c 'env | sed "s/=.*//" | sort -u' | sort -u >/tmp/without.$$
comm -3 /tmp/with.$$ /tmp/without.$$ | grep -v "^STENCILMAP_"
rm -f /tmp/with.$$ /tmp/without.$$
X
)
is "$seen" "" "no variable but STENCILMAP_* is added or lost"

# A nested srun behaves as it does in an unmapped step.
nested() { # OPTIONS: of the outer srun
    export outer=$1
    in_job -N4 -n32 2>&1 <<'X'
srun -n 32 $outer bash -c '
    [ $SLURM_PROCID -ne 0 ] ||
        srun --overlap -N2 -n 4 bash -c "echo \$SLURM_PROCID \$(hostname) \$SLURM_DISTRIBUTION"'
X
}
plain=$(nested "" | sort)
mapped=$(nested "--stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8" | sort)
is "$(grep -v stencilmap: <<<"$mapped")" "$plain" "a nested srun is laid out as in an unmapped step"
is "$(wc -l <<<"$plain")" 4 "of four tasks"
is "$(grep -c stencilmap: <<<"$mapped")" 1 "and only the outer srun speaks of us"
nested=$(
    salloc -Q -N4 -n32 --stencil-map=hyperplane --stencil-dims=4x8 \
        srun -n 32 -m cyclic bash -c 'echo $SLURM_PROCID $SLURM_DISTRIBUTION' 2>/dev/null | sort -n | head -n1
)
is "$nested" "0 cyclic" "SLURM_DISTRIBUTION of the user stays"

# A new job submitted from inside a mapped step inherits no directive.
script=$(mktemp)
printf '#!/bin/bash\nsrun bash -c "echo \\$SLURM_PROCID \\$(hostname)"\n' >"$script"
in_job -N4 -n32 <<X
srun -n 32 --stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8 bash -c '
    [ \$SLURM_PROCID -ne 0 ] || sbatch -Q --wait --overcommit -N2 -n4 -o $script.out $script' 2>/dev/null &
sleep 3
X
for _ in $(seq 40); do [ -s "$script.out" ] && break; sleep 0.5; done
sleep 1
is "$(sort -n "$script.out" | awk '{print $1}' | paste -sd' ')" "0 1 2 3" "a job submitted from a mapped step runs unmapped"
unlike "$(cat "$script.out")" "stencilmap" "and hears nothing of us"
rm -f "$script" "$script.out"

# Launcher daemons are left alone.
out=$(
    salloc -Q -N4 -n32 --stencil-map=hyperplane --stencil-dims=4x8 \
        bash -c 'mpirun --oversubscribe -n 4 hostname' 2>&1
)
unlike "$out" "stencilmap" "mpirun inside a job with our options is left alone"
ok $(($(grep -c '^n[0-3]$' <<<"$out") != 4)) "and runs"
daemon=$STENCILMAP_MINICLUSTER_DIR/orted
printf '#!/bin/bash\necho ran ${STENCILMAP_MAP:-unmapped}\n' >"$daemon"
chmod +x "$daemon"
export daemon
out=$(in_job -N4 -n32 2>&1 <<<'srun --stencil-map=hyperplane --stencil-dims=4x8 "$daemon"')
is "$(grep -c "^ran unmapped" <<<"$out")" 32 "options typed for a launcher's daemon have no effect"
is "$(grep -c stencilmap: <<<"$out")" 1 "and one line says so"
like "$out" "stencilmap: step left alone: orted is a daemon of an MPI launcher and no rank" "this one"
out=$(in_job -N4 -n32 2>&1 <<<'srun -J orted --stencil-map=hyperplane --stencil-dims=4x8 bash -c "echo ran \$STENCILMAP_MAP" orted')
is "$(grep -c "^ran hyperplane" <<<"$out")" 32 "a word of that name elsewhere on the line is none"
rm -f "$daemon"

# The plugin listed twice.
{ printf '%s\n' "$original"; printf '%s\n' "$original"; } >"$line"
out=$(in_job -N4 -n32 2>&1 <<<"srun --stencil-map=hyperplane --stencil-dims=4x8 bash -c true; srun -n1 echo fine")
like "$out" "^fine$" "the plugin loaded twice does no harm"
printf '%s\n' "$original" >"$line"

# The plugin's file gone, as on an old login node.
sed -i "s#/[^ ]*spank_stencilmap.so#/nonexistent/spank_stencilmap.so#" "$line"
out=$(srun -n1 echo fine 2>/dev/null)
is "$out" "fine" "a missing plugin file does not stop a step under optional"
printf '%s\n' "$original" >"$line"
unlike "$(sinfo -h -o %t | sort -u)" "drain|down|fail" "no node has drained"
plan
