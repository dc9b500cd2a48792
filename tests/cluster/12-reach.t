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
# Each step waits for the other one to begin: they meet if they run side by side.
meet='hostname >>$1.$2; for i in $(seq 150); do [ ! -e $1.$3 ] || { echo met; break; }; sleep 0.2; done'
srun $options --stencil-dims=2x8 -N2 -n16 --exact sh -c "$meet" meet $0 a b &
srun $options --stencil-dims=2x8 -N2 -n16 --exact sh -c "$meet" meet $0 b a &
wait
cat $0.a $0.b | sort | uniq -c | sort -k2 | xargs
rm -f $0.a $0.b
X
    )
    is "$(grep -c '^met' <<<"$out")" 32 "$from: two steps on two nodes each run side by side"
    like "$out" "8 n0 8 n1 8 n2 8 n3" "$from: on nodes of their own"
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

# Programs that may be several, launchers, salloc's own shell.
out=$(in_job -N4 -n32 2>&1 <<'X'
echo '0-31 hostname' >$0.conf
srun $map --multi-prog $0.conf
echo "exit $?"
srun $map --stencil-dims=4x8 --multi-prog $0.conf
STENCILMAP_OPTIONS=$map srun --multi-prog $0.conf
rm -f $0.conf
X
)
like "$out" "error: stencilmap: --multi-prog may run several programs.*--stencil-dims" "--multi-prog needs typed dims"
like "$out" "^exit 1" "and stops srun where the mapping was typed"
like "$out" "4x8 over 4 nodes: J_sum 48 -> 24.*\(launch\)" "with dims it is mapped"
like "$out" "step left alone: --multi-prog" "a mapping from elsewhere leaves the step alone"
is "$(grep -c '^n[0-3]$' <<<"$out")" 64 "both steps have run"
is "$(salloc -Q -N4 -n32 $map srun --interactive hostname 2>&1)" n0 \
    "a step like salloc's own shell is left alone, silently"

# A refusal that only the real layout allows ends the step and a job of srun's own.
nodecart="--stencil-map=nodecart --stencil-placement=comm"
export nodecart
out=$(in_job -N3 -n10 2>&1 <<'X'
srun $nodecart sh -c "echo has run"
echo "exit $?"
for wait in 1 2 3 4 5 6 7 8 9 10; do [ -n "$(squeue -h -s -j $SLURM_JOB_ID -o %i | grep '\.[0-9]')" ] || break; sleep 0.5; done
squeue -h -s -j $SLURM_JOB_ID -o "left %i" | grep '\.[0-9]'
srun --exact -n10 -N3 echo the next step has run
X
)
like "$out" "error: stencilmap: --stencil-map=nodecart: nodecart needs the same number of tasks" "comm: refused on the real layout"
like "$out" "^exit 1" "srun ends with 1"
unlike "$out" "^(has run|left )" "nothing has run, no step is left"
is "$(grep -c 'the next step has run' <<<"$out")" 10 "the next step runs"
out=$(srun -N3 -n10 $nodecart sh -c "echo has run" 2>&1; echo "exit $?")
like "$out" "^exit 1" "a srun that makes its job: ends with 1"
unlike "$out" "has run" "nothing has run"
for wait in 1 2 3 4 5 6 7 8 9 10; do [ -n "$(squeue -h)" ] || break; sleep 0.5; done
is "$(squeue -h)" "" "and no job is left"

# A limit of the site's. The file is that of the plugstack line, if any.
like "$(in_job -N4 -n32 2>&1 <<<'srun $map --stencil-dims=4x8 --stencil-placement=comm true')" \
    "\(comm; only programs that call the stencilmap MPI library" "comm says what it means"

# "plnd" is idle, with plans.
states=$(sinfo -h -o %t | sed 's/plnd/idle/' | sort -u)
is "$states" idle "all nodes are idle"
# A srun that makes its own allocation: slurmctld's choice of CPUs deals the tasks.
for tasks in 8 16 27 32; do
    counts() { sort | uniq -c | awk '{print $1, $2}'; }
    plain=$(srun -Q -N4 -n$tasks -w 'n[0-3]' hostname | counts)
    out=$(srun -Q -N4 -n$tasks -w 'n[0-3]' --stencil-map=best --stencil=hops --stencil-dims=${tasks}x1 hostname 2>&1)
    is "$(grep '^n' <<<"$out" | counts)" "$plain" "-n$tasks -w without a job: every node has as many tasks"
done
out=$(srun -N4 -n8 -w 'n[0-3]' --stencil-map --stencil-dims=2x4 true 2>&1)
like "$out" "\(comm: without a job Slurm chooses how many tasks a node gets" "and the line says why"
out=$(srun -N4 -n8 --ntasks-per-node=2 -w 'n[0-3]' --stencil-map --stencil-dims=2x4 true 2>&1)
like "$out" "\(launch\)|nothing gained" "--ntasks-per-node says it"
plan
