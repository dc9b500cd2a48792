#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Settings of the site on the nodes: strict orders, and a topology from a file.
[ -n "${SLURM_JOB_ID-}" ] || exec salloc -Q --immediate=60 -N2 --exclusive "$0"
. "$(dirname "$0")/look.sh"
case $TASK_PLUGIN in *cgroup*) skip_all "runs with task/affinity alone" ;; esac

setting() { # LINE: in the settings of v0
    "$STENCILMAP_VMCLUSTER" exec v0 "mkdir -p /etc/slurm && printf '[stencilmap]\n$1\n' >/etc/slurm/stencilmap.conf"
}

# A step of three cores on two sockets is ragged, one of all cores is not.
three="-N1 -w v0 -n 3 -c 2 --rank-order=socket"
lines=$(look_alone $three)
is "$(our_lines)" "" "a ragged step is bound in the order all the same"
is "$(awk '{print $3}' <<<"$lines" | spell 1 | sort -u | wc -l)" 3 "to three different cores"
setting "strict = yes"
plain=$(look_alone -N1 -w v0 -n 3 -c 2 | awk '{print $1, $3}')
lines=$(look_alone $three)
is "$(awk '{print $1, $3}' <<<"$lines")" "$plain" "strict: it is left as Slurm bound it"
like "$(our_lines)" "node v0: tasks are left where Slurm bound them: the levels here are not regular, socket:2 core:(2\+1|1\+2), and strict orders are asked for" "with the true shape"
lines=$(look_alone -N1 -w v0 -n 16 --rank-order=numa,core)
is "$(spell 3 <<<"$lines")" "$(table v0 16 --rank-order=numa,core)" "strict: a regular step is bound"

# The site says that the node has eight l3, each of two cores.
lstopo-no-graphics -i "pack:1 l3:8 core:2 pu:2" --of xml >"$scratch/site.xml" 2>/dev/null
"$STENCILMAP_VMCLUSTER" exec v0 "lstopo-no-graphics -i 'pack:1 l3:8 core:2 pu:2' --of xml >/etc/slurm/node.xml"
setting "topology = /etc/slurm/node.xml"
lines=$(look_alone -N1 -w v0 -n 8 --rank-order=l3)
is "$(spell 3 <<<"$lines")" "$(table site 8 --rank-order=l3)" "the topology of the site's file is used"
unlike "$(table site 8 --rank-order=l3)" "^$(table v0 8 --rank-order=socket)$" "which is not that of the machine"
setting "topology = /etc/slurm/none.xml"
plain=$(look_alone -N1 -w v0 -n 8 | awk '{print $1, $3}')
lines=$(look_alone -N1 -w v0 -n 8 --rank-order=l3)
is "$(awk '{print $1, $3}' <<<"$lines")" "$plain" "a file that is not there leaves tasks as they are"
like "$(our_lines)" "tasks are left where Slurm bound them: topology=/etc/slurm/none.xml: No such file or directory" "and says so"
"$STENCILMAP_VMCLUSTER" exec v0 "rm -f /etc/slurm/stencilmap.conf /etc/slurm/node.xml"
unlike "$(sinfo -h -N -o '%T %E')" "drain|down|fail" "no node has drained"
plan
