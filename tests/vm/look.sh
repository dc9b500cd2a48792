# SPDX-License-Identifier: BSD-3-Clause
# What the VM tests share: looking at where tasks run, and what the tool says about it.
# shellcheck shell=bash disable=SC2016
. "$(dirname "$0")/../cluster/tap.sh"

scratch=$STENCILMAP_VMCLUSTER_DIR/test
mkdir -p "$scratch"
for node in v0 v1; do
    [ -s "$scratch/$node.xml" ] ||
        "$STENCILMAP_VMCLUSTER" exec $node "lstopo-no-graphics --of xml" >"$scratch/$node.xml"
done

# Said by the task itself: rank, node, its cpus as the kernel has them, the hint, memory policy.
# One static program per task: emulated CPUs are slow.
task='/^Cpus_allowed_list/ {cpus = $2}
FILENAME ~ /numa_maps/ && !memory {memory = $2}
END {print ENVIRON["SLURM_PROCID"], ENVIRON["SLURMD_NODENAME"], cpus, ENVIRON["STENCILMAP_CPUS"], memory, ENVIRON["STENCILMAP_RANK"]}'

# Runs a step; its lines by rank on standard output, all else in $said.
said=$scratch/said
look() { # SRUN-OPTIONS...
    timeout 100 srun "$@" </dev/null busybox awk "$task" /proc/self/status /proc/self/numa_maps 2>"$said" | sort -n
}

# Waits until there are this many steps. Which cores a step gets is repeatable when none before it
# holds any more.
settle() { # STEPS
    until [ "$(squeue -h -s -j "$SLURM_JOB_ID" -o %i | grep -cE '\.[0-9]+$')" -eq "$1" ]; do sleep 0.3; done
}
look_alone() { # SRUN-OPTIONS...
    settle 0
    look "$@"
}

# Lists 0-3,8 become 0,1,2,3,8: the kernel's spelling and the tool's differ. Of a stream of lines
# only the given column.
spell() { # COLUMN
    awk -v column="$1" '
    function expand(list,    parts, ends, n, i, k, out) {
        n = split(list, parts, ",")
        for (i = 1; i <= n; i++) {
            if (split(parts[i], ends, "-") == 1) ends[2] = ends[1]
            for (k = ends[1] + 0; k <= ends[2] + 0; k++) out = out (out == "" ? "" : ",") k
        }
        return out
    }
    {print expand($column)}'
}

# The rows of `stencilmap cores` for a node: the cpus of each task.
table() { # NODE TASKS OPTIONS...
    local node=$1 tasks=$2 rows
    shift 2
    rows=$(stencilmap cores --topology="$scratch/$node.xml" -n "$tasks" "$@" --format=csv) ||
        rows=$'\n,,no table'
    tail -n +2 <<<"$rows" | cut -d, -f3- | tr -d '"'
}

# A topology by the name NODE.part: what a node has, without all cpus but these.
part() { # NODE CPU,CPU,...
    local cpus
    cpus=$(tr ',' '\n' <<<"$2" | sed 's/^/pu:/' | xargs hwloc-calc -i "$scratch/$1.xml" --physical-input)
    lstopo-no-graphics -i "$scratch/$1.xml" --restrict "$cpus" --of xml >"$scratch/$1.part.xml"
}

# All cpus that the tasks of a node have: "0,1,16,17".
union() { # NODE LINES
    awk -v node="$1" '$2 == node' <<<"$2" | spell 3 | tr ',' '\n' | sort -nu | paste -sd,
}

# Every task has the cpus that the tool lists for its node, the first half of the ranks on v0.
agrees() { # NAME LINES TASKS-PER-NODE TOOL-OPTIONS...
    local name=$1 lines=$2 tasks=$3
    shift 3
    is "$(spell 3 <<<"$lines")" "$(for node in v0 v1; do table $node "$tasks" "$@"; done)" "$name"
    is "$(awk '{print $4}' <<<"$lines")" "$(awk '{print $3}' <<<"$lines")" "$name: STENCILMAP_CPUS is the real mask"
}

# Our lines about a step: how many there are, and what they say.
our_lines() { grep 'stencilmap:' "$said" || true; }
