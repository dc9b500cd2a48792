#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Random lines, each without and with a mapping in one job: never more messages between nodes or
# between sockets than without us, counted from where the tasks say that they run.
# STENCILMAP_TEST_RANDOM_LINES: how many (default 12); STENCILMAP_TEST_SEED: which ones.
. "$(dirname "$0")/tap.sh"
random=$(cd "$(dirname "$0")" && pwd)/random_lines.py
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
cp "$STENCILMAP_BUILD/tests/whereami" prog
launched=0
while IFS='|' read -r dims algorithm job line <&3; do
    cat >script <<X
#!/bin/bash
#SBATCH $job
timeout 60 srun $line ./prog >plain 2>plain.err
echo "plain \$?"
while squeue -h -s -j \$SLURM_JOB_ID -o %i | grep -q '\\.[0-9]'; do sleep 0.1; done
timeout 60 srun --stencil-map=$algorithm --stencil-dims=$dims $line ./prog >mapped 2>mapped.err
echo "mapped \$?"
X
    sbatch -Q --wait -o script.out script
    said=$(grep -h stencilmap: mapped.err)
    if grep -q '^plain [1-9]' script.out; then
        # Slurm itself refuses the line: then it must with us, too.
        like "$(<script.out)" '^mapped [1-9]' "srun $line: refused by Slurm"
        continue
    fi
    ! grep -q '(launch)' <<<"$said" || launched=$((launched + 1))
    counted=$(python3 "$random" count "$dims" plain mapped)
    like "$counted" '^good' "$algorithm on $dims: srun $line: $counted"
    [ "${counted%% *}" = good ] || sed 's/^/#   /' mapped.err script.out >&2
done 3< <(python3 "$random" make "${STENCILMAP_TEST_RANDOM_LINES:-12}" "${STENCILMAP_TEST_SEED:-1}")
[ $launched -gt 0 ]
ok $? "some were launched ($launched)"
plan
