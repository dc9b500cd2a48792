#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The hints as PMIx keys, read by a client of the real library on every node.
. "$(dirname "$0")/tap.sh"

program=$STENCILMAP_BUILD/tests/pmix_keys
[ -x "$program" ] || skip_all "built without PMIx"

# Every hint's variable, and the key that is the same in small letters.
variables=$(sed -n 's/.*"\(STENCILMAP_[A-Z_]*\)",$/\1/p' "$STENCILMAP_ROOT/plugin/stepd/hints.c")
nonempty "$variables" 15 "the hints"
keys=$(sed 's/STENCILMAP_//' <<<"$variables" | tr 'A-Z\n' 'a-z ' | sed 's/[^ ][^ ]*/stencilmap.&/g')
export program keys variables

# As the client prints keys, but from the environment.
from_environment='for variable in $variables; do
    key=${variable#STENCILMAP_}
    echo $SLURM_PROCID $(hostname) stencilmap.${key,,} ${!variable:--}
done'
export from_environment

same() { # NAME RANKS SALLOC-OPTIONS SRUN-OPTIONS...: all keys of all ranks are what variables say
    local name=$1 ranks=$2 job=$3
    shift 3
    # shellcheck disable=SC2086
    told=$(echo "srun --mpi=pmix $* bash -c \"\$from_environment\"" | in_job $job 2>/dev/null | sort)
    # shellcheck disable=SC2086
    out=$(echo "srun --mpi=pmix $* \$program \$keys" | in_job $job 2>/dev/null | sort)
    is "$out" "$told" "$name"
    is "$(grep -c . <<<"$out")" $((ranks * $(wc -w <<<"$keys"))) "$name: all keys of $ranks ranks"
}

map="--stencil-map=hyperplane --stencil=5pt --stencil-dims=4x8"
same "launch" 32 "-N4 -n32" "$map"
is "$(awk '$3 == "stencilmap.cpus" {print $2, $4}' <<<"$out" | sort -u | wc -l)" 32 "every rank has cpus of its own"
is "$(awk '$3 == "stencilmap.rank" {print $4}' <<<"$out" | sort -n | tr '\n' ' ')" "$(seq -s' ' 0 31) " "every cell is there once"
unlike "$(grep -v stencilmap.ranks <<<"$out")" " -$" "none is without a value, but that of a part"
same "comm" 32 "-N4 -n32" "-m cyclic $map --stencil-placement=comm"
same "nodes of unequal size" 30 "-N4 -n30" "--stencil-map=strips --stencil=9pt --stencil-dims=5x6"
same "ranks outside of the grid" 32 "-N4 -n32" "--stencil-map=hyperplane --stencil-dims=5x6 --stencil-ranks=1-30"
same "an order over nodes" 32 "-N4 -n32" "--rank-order=node,core"
same "bound to no cores" 32 "-N4 -n32" "--cpu-bind=none $map"
same "without us" 32 "-N4 -n32" ""
unlike "$out" " [^-]+$" "without us: no key at all"

# Each rank can look at the others of its node.
out=$(echo "srun --mpi=pmix $map \$program peers stencilmap.rank stencilmap.cpus" | in_job -N4 -n32 --ntasks-per-node=8 2>/dev/null)
is "$(sort -u <<<"$out" | grep -c .)" 64 "ranks of the same node see each other's keys, and the same"
is "$(grep -c . <<<"$out")" 512 "eight see eight"
unlike "$out" " -$" "all of them"

# Switched off by the site; the variables stay.
line=$(ls "$STENCILMAP_MINICLUSTER_DIR"/etc/plugstack.conf.d/*.conf)
original=$(cat "$line")
conf=$STENCILMAP_MINICLUSTER_DIR/etc/stencilmap.conf
trap 'echo "$original" >"$line"; rm -f "$conf"' EXIT
printf '%s config=%s\n' "$original" "$conf" >"$line"
printf '[stencilmap]\npmix = no\n' >"$conf"
out=$(echo "srun --mpi=pmix $map \$program \$keys" | in_job -N4 -n32 2>/dev/null)
is "$(grep -c . <<<"$out")" $((32 * $(wc -w <<<"$keys"))) "pmix = no: programs run"
unlike "$out" " [^-]+$" "and find no key"
out=$(echo "srun --mpi=pmix $map bash -c \"\$from_environment\"" | in_job -N4 -n32 2>/dev/null)
is "$(grep -c 'stencilmap.rank [0-9]' <<<"$out")" 32 "and the variables"
plan
