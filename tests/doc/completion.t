#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2016
# Usage: completion.t TOOL. Calls the completion functions as bash would, with the real tool on the
# path, and compares what they offer.
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/cluster/tap.sh
. "$root/tests/cluster/tap.sh"
tool=$1
[ -x "$tool" ] || skip_all "no stencilmap tool: completion.t TOOL"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ln -s "$(cd "$(dirname "$tool")" && pwd)/$(basename "$tool")" "$dir/stencilmap"
PATH=$dir:$PATH
LC_ALL=C
# shellcheck source=contrib/completion/stencilmap.bash
. "$root/contrib/completion/stencilmap.bash"

# Sets COMP_* as readline does for a line with the cursor at its end, and calls what is registered
# for the line's first word; the offers, one a line, in `offers`.
complete_line() { # LINE
    local rest=$1 word='' i c function previous
    COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=() COMPREPLY=()
    for ((i = 0; i < ${#rest}; i++)); do
        c=${rest:i:1}
        if [[ $c == [[:space:]] ]]; then
            [ -z "$word" ] || COMP_WORDS+=("$word")
            word=
        elif [[ $COMP_WORDBREAKS == *"$c"* ]]; then
            [ -z "$word" ] || COMP_WORDS+=("$word")
            COMP_WORDS+=("$c")
            word=
        else
            word+=$c
        fi
    done
    [[ -z $word && ${rest: -1} != [[:space:]] ]] || COMP_WORDS+=("$word")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    previous=${COMP_WORDS[COMP_CWORD - 1]}
    function=$(complete -p "${COMP_WORDS[0]##*/}" | sed 's/.* -F \([^ ]*\) .*/\1/')
    "$function" "${COMP_WORDS[0]}" "$word" "$previous"
    offers=$(printf '%s\n' "${COMPREPLY[@]}")
}

offers() { # LINE WANTED-WORDS: exactly these, in any order
    local offers
    complete_line "$1"
    # shellcheck disable=SC2086
    is "$(sort <<<"$offers")" "$(printf '%s\n' $2 | sort)" "'$1'"
}

algorithms=$(stencilmap show --stencil-map=help | cut -d' ' -f1)
stencils=$(stencilmap show --stencil=help | cut -d' ' -f1)
nonempty "$algorithms" 10 "the algorithms that the tool lists"
nonempty "$stencils" 10 "the stencils that the tool lists"
tool_options=$(sed -n 's/^ *{"\([a-z-]*\)", [^,]*, AT(.*/--\1=/p' "$root/core/tool/options.c"
    sed -n 's/^ *{"\([a-z-]*\)", offsetof(struct smap_request, .*/--\1=/p' "$root/core/plan/problem.c")
tool_options=${tool_options/--strict=/--strict} # the one without a value
# Options with a .bare go without a value, too, and are completed without "=".
plugin_options=$(awk -F'"' '/\.name =/ {name = $2; bare[name] = 0} /\.bare =/ {bare[name] = 1}
    END {for (name in bare) print "--" name (bare[name] ? "" : "=")}' "$root/plugin/options.def")
commands=$(grep -o '{"[a-z]*", command_' "$root/core/tool/main.c" | cut -d'"' -f2)
nonempty "$tool_options" 20 "the tool's table of options"
nonempty "$plugin_options" 8 "the plugin's table of options"
nonempty "$commands" 6 "the tool's commands"

# --- the tool
offers 'stencilmap ' "$commands help --help --version"
offers 'stencilmap s' show
offers 'stencilmap dims 7' ''
offers 'stencilmap dims 72 --la' --lattice=
offers 'stencilmap dims 72 --lattice=18' ''
offers 'stencilmap fly --' ''
offers 'stencilmap plan ' "$tool_options"
offers 'stencilmap plan --' "$tool_options"
offers 'stencilmap plan -N 4 --stencil-p' --stencil-periodic=
offers 'stencilmap show --stencil-map=' "$algorithms help"
offers 'stencilmap show --stencil-map=kd' kdtree
offers 'stencilmap show --stencil-map kd' kdtree
offers 'stencilmap show --stencil-map ' "$algorithms help"
offers 'stencilmap show --stencil-map=hyperplane --stencil=' "$stencils help"
offers 'stencilmap show --stencil=cr' crank-nicolson
for command in plan show cores; do
    formats=$(tr -d '\n' <"$root/core/tool/$command.c" | grep -o 'formats\[\] = {[^}]*' | grep -o '"[a-z_-]*"' |
        tr -d '"')
    nonempty "$formats" 3 "the formats of $command"
    offers "stencilmap $command --format=" "$formats"
done
offers 'stencilmap cores --format=m' map_cpu
offers 'stencilmap show --color=a' 'auto always'
offers 'stencilmap plan -m ' 'block cyclic plane='
offers 'stencilmap plan --distribution=c' cyclic
offers 'stencilmap plan -N ' ''
offers 'stencilmap plan --nodes=' ''
offers 'stencilmap show --stencil-placement=' ''
offers 'stencilmap cores --rank-order=n' 'node numa'
offers 'stencilmap cores --rank-order=numa,g' 'numa,group'
offers 'stencilmap cores --rank-order=numa,l3,n' 'numa,l3,node'
offers 'stencilmap cores --rank-order=block:' 'block cyclic'
offers 'stencilmap order --rank-order=numa,m' 'numa,membind'
offers 'stencilmap topo --topo' --topology=
offers 'stencilmap cores --rank-hierarchy=so' socket:
offers 'stencilmap cores --rank-hierarchy=socket:2,c' '2,core:'
mkdir "$dir/files" && touch "$dir/files/node.xml" && mkdir "$dir/files/nodes"
cd "$dir/files" || exit 1
offers 'stencilmap cores --topology=no' 'node.xml nodes/'
offers 'stencilmap cores --topology no' 'node.xml nodes/'
cd "$root" || exit 1
offers "$dir/stencilmap show --stencil-map=k" kdtree

# --- the bench
bench_options=$(sed -n 's/^ *{"\([a-z-]*\)", required_argument.*/--\1=/p; s/^ *{"\([a-z-]*\)", [no][a-z]*_argument.*/--\1/p' \
    "$root/contrib/mpi/bench/options.c")
nonempty "$bench_options" 18 "the bench's table of options"
offers 'stencilmap-bench.openmpi --' "$bench_options"
offers 'stencilmap-bench ' "$bench_options"
offers 'stencilmap-bench.mpich --map=' "$algorithms all step"
offers 'stencilmap-bench --map=best,kd' best,kdtree
offers 'stencilmap-bench --stencil=' "$stencils all"
offers 'stencilmap-bench --orders=a' all
offers 'stencilmap-bench --orders=core,no' core,node
offers 'stencilmap-bench --hierarchy=node:2,c' '2,core:'
offers 'stencilmap-bench --collectives=alltoall,' 'alltoall,allreduce alltoall,allgather'
offers 'stencilmap-bench --instantiation=' only
offers 'stencilmap-bench --format=s' svg
offers 'stencilmap-bench --seconds=' ''
offers 'stencilmap-bench --instantiation --q' --quiet

# Other ways to break words: without '=' the whole word is offered.
COMP_WORDBREAKS=$' \t\n'
offers 'stencilmap show --stencil-map=kd' --stencil-map=kdtree
offers 'stencilmap cores --rank-hierarchy=socket:2,c' '--rank-hierarchy=socket:2,core:'
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'

# --- srun, sbatch, salloc
for command in srun sbatch salloc; do
    offers "$command --stencil" "$(grep '^--stencil' <<<"$plugin_options")"
    offers "$command --rank-" "$(grep '^--rank-' <<<"$plugin_options")"
    offers "$command -n 4 --stencil-map=" "$algorithms off help"
    offers "$command -n 4 --stencil-map hyper" ''
    offers "$command --stencil-effort=" 'fast normal thorough'
    offers "$command --stencil-objective=" 'sum max levels'
    offers "$command --stencil-placement=" 'auto launch comm'
    offers "$command --stencil-report=" 'on full'
    offers "$command --stencil-watch=" off
    offers "$command --rank-order=o" off
    offers "$command --rank-order=core,o" ''
    offers "$command --stencil-dims=" ''
done
is "$(complete_line 'srun --'; grep -Fxc -f <(printf '%s\n' "$plugin_options") <<<"$offers")" \
    "$(wc -l <<<"$plugin_options")" "srun -- offers all options of the plugin"

# A completion that is there already stays in force, beside ours.
fresh() { # the commands of a new shell
    env -i PATH="$PATH" HOME="$dir" bash --norc -c "
        root='$root'
        $(declare -f complete_line)
        $*"
}
is "$(fresh '
    _srun() { COMPREPLY=($(compgen -W "--nodes= --ntasks= word" -- "$2")); }
    complete -o nospace -F _srun srun
    . "$root/contrib/completion/stencilmap.bash"
    complete_line "srun --"; echo "$offers" | grep -c -e "^--nodes=$" -e "^--stencil-map$"
    complete_line "srun w"; echo "$offers"
    . "$root/contrib/completion/stencilmap.bash"
    complete_line "srun w"; echo "$offers again"')" "2
word
word again" "a completion that was registered before, also when ours is read twice"
is "$(fresh '
    __load_completion() {
        _slurm() { COMPREPLY=($(compgen -W "--nodes=" -- "$2")); }
        complete -F _slurm srun sbatch
    }
    . "$root/contrib/completion/stencilmap.bash"
    complete_line "srun --n"; echo "$offers"
    complete_line "sbatch --n"; echo "$offers"
    complete_line "salloc --n"; echo "$offers."
    complete_line "sbatch --stencil-pl"; echo "$offers"
    complete -p srun')" "--nodes=
--nodes=
.
--stencil-placement=
complete -o bashdefault -o default -F _stencilmap_slurm srun" "a completion that is loaded when first wanted"
is "$(fresh '
    _comp_load() { [[ $1 == -- && $2 == srun ]] && complete -F _slurm srun; }
    _slurm() { COMPREPLY=(--nodes=); }
    . "$root/contrib/completion/stencilmap.bash"
    complete_line "srun --n"; echo "$offers"')" "--nodes=" "the same with a newer bash-completion"
is "$(fresh 'stencilmap() { return 127; }
    . "$root/contrib/completion/stencilmap.bash"
    complete_line "srun --stencil-map=of"; echo "$offers"' 2>/dev/null | tail -n 1)" "off" \
    "without the tool the words of its own are offered"

# The real thing, where it is installed.
library=/usr/share/bash-completion
if [ -r $library/bash_completion ] && [ -r $library/completions/srun ]; then
    is "$(fresh ". $library/bash_completion"'
        . "$root/contrib/completion/stencilmap.bash"
        complete_line "srun --"
        echo "$offers" | grep -c -e "^--ntasks=*$" -e "^--stencil-map$"')" 2 \
        "Slurm's own completion and ours"
else
    ok 0 "Slurm's own completion and ours # SKIP bash-completion or Slurm's file is not installed"
fi
plan
