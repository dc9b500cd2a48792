#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# stencilmap.conf: defaults per site and partition, the off switch, precedence, wrong lines.
. "$(dirname "$0")/tap.sh"

line=$(ls "$STENCILMAP_MINICLUSTER_DIR"/etc/plugstack.conf.d/*.conf)
original=$(cat "$line")
conf=$STENCILMAP_MINICLUSTER_DIR/etc/stencilmap.conf
printf '%s config=%s\n' "$original" "$conf" >"$line"

map_of() { # OPTIONS...: the mapping that a step of the job sees, "-" for none
    salloc -Q -N4 -n32 "${salloc_options[@]}" \
        srun "$@" bash -c 'echo ${STENCILMAP_MAP:--} ${STENCILMAP_DIMS:--}' 2>&1 | sort -u
}
salloc_options=()

rm -f "$conf"
is "$(map_of)" "- -" "no file, no effect"
cat >"$conf" <<'X'
[stencilmap]
stencil-map = hyperplane
stencil-dims = 4x8
[partition small]
stencil-map = off
[partition all]
stencil-map = kdtree
X
is "$(map_of)" "kdtree 4x8" "the partition's default wins over the site's, silently"
sed -i '/partition all/,$d' "$conf"
is "$(map_of)" "hyperplane 4x8" "the site's default"
is "$(STENCILMAP_OPTIONS=--stencil-map=strips map_of | grep -v stencilmap:)" "strips 4x8" "STENCILMAP_OPTIONS wins over the site"
salloc_options=(--stencil-map=nodecart)
is "$(STENCILMAP_OPTIONS=--stencil-map=strips map_of | grep -v stencilmap:)" "nodecart 4x8" "salloc wins over STENCILMAP_OPTIONS"
is "$(map_of --stencil-map=blocked | grep -v stencilmap:)" "blocked 4x8" "the command line wins over all"
is "$(map_of --stencil-map=off)" "- -" "off on the command line wins over all"
salloc_options=()
is "$(map_of --stencil-map=off)" "- -" "off wins over the site's default"
is "$(STENCILMAP_OPTIONS=--stencil-map=off map_of)" "- -" "off in STENCILMAP_OPTIONS too"
is "$(map_of -n 12)" "- -" "a default that does not fit leaves the step alone, silently"

echo "verbose = 1" >"$conf.tail"
{ cat "$conf.tail" | sed '1i [stencilmap]'; cat "$conf"; } >"$conf.new" && mv "$conf.new" "$conf"
out=$(map_of --stencil=5pt)
like "$out" "--stencil-map=hyperplane \(site default\)" "verbose tells where a value comes from"
like "$out" "--stencil=5pt \(command line\)" "each of them"

cat >"$conf" <<'X'
[stencilmap]
stencil-map = fastest
colour = blue
[site]
stencil-map = hyperplane
X
out=$(map_of)
like "$out" "$conf:2: 'stencil-map = fastest' is left out: --stencil-map=fastest: not one of" "a wrong value is said"
like "$out" "$conf:3: 'colour = blue' is left out: no such setting" "an unknown key is said"
like "$out" "$conf:5: section \[site\] is neither" "an unknown section is said"
like "$out" "^- -$" "and the step runs"
printf 'nonsense\n' >"$conf"
like "$(map_of)" "$conf:1: not a line like" "a line that is no setting is said"

# An order that does not fit the nodes: silent by default of the site, else told by the first node;
# if it was typed here, by the first of every kind of node.
complaints() { # SRUN-OPTIONS...
    salloc -Q -N4 -n32 srun "$@" true 2>&1 | grep -c 'tasks are left where Slurm bound them'
}
printf '[stencilmap]\nrank-order = core\nrank-hierarchy = fake:7,core:11\n' >"$conf"
is "$(complaints)" 0 "a default order that does not fit is silent"
printf '[stencilmap]\nverbose = 1\nrank-order = core\nrank-hierarchy = fake:7,core:11\n' >"$conf"
is "$(complaints)" 1 "with verbose the first node tells"
rm -f "$conf"
is "$(STENCILMAP_OPTIONS="--rank-order=core --rank-hierarchy=fake:7,core:11" complaints)" 1 "in STENCILMAP_OPTIONS: the first node"
is "$(complaints --rank-order=core --rank-hierarchy=fake:7,core:11)" 1 "typed: the first of four equal nodes"
is "$(salloc -Q -N4 -n32 srun -n14 --rank-order=core --rank-hierarchy=fake:7,core:11 -m plane=4 true 2>&1 |
    grep -c 'tasks are left where Slurm bound them')" 2 "nodes with fewer tasks may have another reason: one of them tells too"

# What a typed mapping meets is told too, with no order in sight.
printf '[stencilmap]\ntopology = /nonexistent/node.xml\n' >"$conf"
is "$(complaints --stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8)" 1 "a mapping without an order: the first node tells"

# Files that hwloc refuses, and such that it crashes on (here, 2.9): tasks are left where they are.
good=$STENCILMAP_ROOT/tests/data/topology/cgroup.xml
bad=$STENCILMAP_MINICLUSTER_DIR/etc/node.xml
printf '[stencilmap]\ntopology = %s\n' "$bad" >"$conf"
for script in 's/ complete_cpuset="[^"]*"//' 's/ complete_nodeset="[^"]*"//' \
    's/topology version="2.0"/topology version="9.0"/' '5,$d'; do
    sed "$script" "$good" >"$bad"
    out=$(salloc -Q -N4 -n8 srun --rank-order=core bash -c 'echo task $SLURM_PROCID' 2>&1)
    is "$? $(grep -c '^task' <<<"$out")" "0 8" "topology file, $script: the step runs"
    like "$out" "tasks are left where Slurm bound them: topology=$bad: " "and says why"
done
sed 's/topology version="2.0"/topology version="9.0"/' "$good" >"$bad"
like "$(salloc -Q -N1 -n1 srun --rank-order=core true 2>&1)" "topology=$bad: cannot import XML version 9.0 > 2;" \
    "in hwloc's own words"
rm -f "$bad"
unlike "$(sinfo -h -o %t | sort -u)" "drain|down|fail" "no node was drained"
is "$(squeue -h -s)" "" "no step is left"

rm -f "$conf" "$conf.tail"
printf '%s\n' "$original" >"$line"
plan
