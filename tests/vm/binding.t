#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Where tasks run: the kernel is asked in every task, and the tool says what is right. All steps are
# in one allocation of both nodes, this script's own. v0: socket, numa = l3, core, threads far
# apart; v1: socket = numa, l3, core, threads side by side.
[ -n "${SLURM_JOB_ID-}" ] || exec salloc -Q --immediate=60 -N2 --exclusive "$0"
. "$(dirname "$0")/look.sh"

while read -r tasks order; do
    lines=$(look -n $((2 * tasks)) --rank-order="$order")
    agrees "$order, $tasks tasks a node" "$lines" "$tasks" --rank-order="$order"
    is "$(our_lines)" "" "$order: nothing is said"
done <<'CASES'
16 numa,l3,core
4 0-1-2
CASES

# With --stencil-map alone: Slurm's own masks, handed round so that neighbours share caches.
map="--stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8"
sets() { awk '{print $2, $3}' | sort; }
# Pairs of grid neighbours within one L3. Lines: node, cpu list, cell.
close_pairs() {
    awk '{
        cpu = $2 + 0
        l3[$3] = $1 " " ($1 == "v0" ? int(cpu % 16 / 4) : int(cpu / 4))
    }
    END {
        for (cell = 0; cell < 32; cell++) {
            if (cell % 8 < 7 && l3[cell] == l3[cell + 1]) pairs++
            if (cell < 24 && l3[cell] == l3[cell + 8]) pairs++
        }
        print pairs + 0
    }'
}
plain=$(look -n 32)
mapped=$(look -n 32 $map)
is "$(sets <<<"$mapped")" "$(sets <<<"$plain")" "--stencil-map alone: the masks are Slurm's"
is "$(awk '{print $4}' <<<"$mapped")" "$(awk '{print $3}' <<<"$mapped")" "STENCILMAP_CPUS is the real mask"
unchanged=$(paste -d' ' <(sort -sk2,2 <<<"$mapped" | awk '{print $2}') <(sort -sk2,2 <<<"$plain" | awk '{print $3}') \
    <(sort -sk2,2 <<<"$mapped" | awk '{print $6}') | close_pairs)
now=$(awk '{print $2, $3, $6}' <<<"$mapped" | close_pairs)
ok $((now <= unchanged)) "neighbours in one L3: $unchanged pairs as Slurm deals the masks, $now with us"
both=$(look -n 32 $map --rank-order=numa,l3,core)
is "$(awk '{print $2}' <<<"$both" | paste -d' ' - <(spell 3 <<<"$both") | sort)" \
    "$(for node in v0 v1; do table $node 16 --rank-order=numa,l3,core | sed "s/^/$node /"; done | sort)" \
    "with --rank-order too the cores are the order's"
ok $(($(awk '{print $2, $3, $6}' <<<"$both" | close_pairs) < now)) "and neighbours are as close"

# What the user chooses by himself stays.
plain=$(look -N1 -w v0 -n 4 --cpu-bind=map_cpu:5,4,3,2 | awk '{print $1, $3}')
for option in --rank-order=numa,core "--stencil-map=hyperplane --stencil-dims=1x4"; do
    is "$(look -N1 -w v0 -n 4 --cpu-bind=map_cpu:5,4,3,2 $option | awk '{print $1, $3}')" "$plain" \
        "--cpu-bind of the user stays under $option"
done

# A hierarchy that only one of the nodes has; nodes of another kind, by their tasks, tell for themselves.
hierarchy="--rank-order=numa,core --rank-hierarchy=socket:2,numa:2,core:4"
plain=$(look -n 7 --ntasks-per-node=4 | awk '$2 == "v1" {print $3}')
lines=$(look -n 7 --ntasks-per-node=4 $hierarchy)
is "$(awk '$2 == "v0"' <<<"$lines" | spell 3)" "$(table v0 4 $hierarchy)" "a node with the named levels is bound"
is "$(awk '$2 == "v1" {print $3}' <<<"$lines")" "$plain" "one without them is left alone"
is "$(our_lines | wc -l)" 1 "with one line"
like "$(our_lines)" "stencilmap: node v1: tasks are left where Slurm bound them: --rank-hierarchy=.*socket:2, l3:4, core:2" \
    "that names its true levels"

# Steps that own a part of a node, beside others; --overlap with them.
first=$(look_alone --exact -N1 -w v0 -n 4 -c 4 --rank-order=numa,core)
part v0 "$(union v0 "$(look_alone --exact -N1 -w v0 -n 4 -c 4)")"
is "$(spell 3 <<<"$first")" "$(table v0.part 4 -c 4 --rank-order=numa,core)" "a step with half a node: the order over its cores"
settle 0
timeout 100 srun -Q --exact -N1 -w v0 -n 4 -c 4 sleep 60 </dev/null 2>/dev/null &
sleeper=$!
settle 1
second=$(look --exact -N1 -w v0 -n 4 -c 4 --rank-order=numa,core)
is "$(comm -12 <(union v0 "$first" | tr ',' '\n' | sort) <(union v0 "$second" | tr ',' '\n' | sort))" "" \
    "a step beside it: no cpu of the first"
is "$(union v0 "$second" | tr ',' '\n' | wc -l)" 16 "but all of its own"
lines=$(look --overlap -n 8 --rank-order=l3,core)
agrees "--overlap" "$lines" 4 --rank-order=l3,core
kill $sleeper
wait $sleeper 2>/dev/null

# A cpu goes offline, then its core; the order goes over what is left, and never where Slurm does not.
offline() { "$STENCILMAP_VMCLUSTER" exec v1 "for c in $2; do echo $1 >/sys/devices/system/cpu/cpu\$c/online; done"; }
cp "$scratch/v1.xml" "$scratch/v1.whole"
offline 0 5
ok $? "a cpu can be taken offline"
"$STENCILMAP_VMCLUSTER" exec v1 "lstopo-no-graphics --of xml" >"$scratch/v1.xml"
is "$(look -N1 -w v1 -n 8 --rank-order=l3,core | spell 3)" "$(table v1 8 --rank-order=l3,core)" "one cpu offline"
offline 0 4
lines=$(look_alone --exact -N1 -w v1 -n 4 -c 2 --rank-order=core)
plain=$(look_alone --exact -N1 -w v1 -n 4 -c 2)
is "$(wc -l <<<"$lines")" 4 "a core offline: the step runs"
is "$(comm -23 <(union v1 "$lines" | tr ',' '\n' | sort) <(union v1 "$plain" | tr ',' '\n' | sort))" "" \
    "a core offline: no cpu that Slurm would not have chosen"
offline 1 "4 5"
mv "$scratch/v1.whole" "$scratch/v1.xml"

unlike "$(sinfo -h -N -o '%T %E')" "drain|down|fail" "no node has drained"
plan
