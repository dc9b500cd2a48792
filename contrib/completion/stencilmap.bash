# SPDX-License-Identifier: BSD-3-Clause
# bash completion for stencilmap, stencilmap-bench, and for its plugin's options of srun, sbatch and salloc.
#
# bash-completion loads this file by itself for the tool and the bench. For the others have every shell read it,
# behind Slurm's own completion where that is read at start: a link to it in
# /etc/bash_completion.d, or a line `. .../stencilmap` in a profile. What completes srun, sbatch and
# salloc already stays in force.
# shellcheck shell=bash

# Names that a tool lists, one a line: `NAME --OPTION=help`. Asked once per shell, tool and option.
_stencilmap_names() { # TOOL OPTION
    local key="$1 $2"
    if [[ -z ${_stencilmap_cache[$key]-} ]]; then
        _stencilmap_cache[$key]=$("$1" show "--$2=help" 2>/dev/null | while read -r name _; do
            echo "$name"
        done)
    fi
    echo "${_stencilmap_cache[$key]}"
}
declare -gA _stencilmap_cache=()

_stencilmap_levels='node socket die numa l3 l2 group core pu fake'

# The words that go on a list at its last place, with the list in front and none twice.
_stencilmap_list() { # LIST WORDS
    local done='' word
    [[ $1 != *,* ]] || done=${1%,*},
    for word in $2; do
        [[ ,$done == *,"$word",* ]] || echo "$done$word"
    done
}

_stencilmap_files() { # BEGINNING
    compgen -f -- "$1" | while read -r file; do
        [[ -d $file ]] && echo "$file/" || echo "$file"
    done
}

# The values of an option, one a line; false if the option is none of those with words. A value that
# ends in '=', ',', ':' or '/' goes on.
_stencilmap_values() { # TOOL OPTION VALUE
    case $2 in
    --stencil-map) _stencilmap_names "$1" stencil-map && printf '%s\n' help ;;
    --stencil) _stencilmap_names "$1" stencil && echo help ;;
    --stencil-effort) printf '%s\n' fast normal thorough ;;
    --stencil-objective) printf '%s\n' sum max levels ;;
    --stencil-placement) printf '%s\n' auto launch comm ;;
    --stencil-report) printf '%s\n' on full ;;
    --stencil-watch) echo off ;;
    --rank-order)
        [[ $3 == *[,-]* ]] || printf '%s\n' block cyclic plane=
        [[ $3 != ?*,* ]] || _stencilmap_list "$3" membind
        [[ $3 != block:* && $3 != cyclic:* ]] || printf '%s\n' "${3%%:*}":{block,cyclic}
        _stencilmap_list "$3" "$_stencilmap_levels"
        ;;
    --rank-hierarchy) _stencilmap_list "$3" "$_stencilmap_levels" | sed 's/$/:/' ;;
    --stencil-dims | --stencil-periodic | --stencil-ranks) ;;
    *) return 1 ;;
    esac
}

# Sets word, the whole word before the cursor ("--stencil=5" is one), and previous, the one before
# it. Bash's own split depends on COMP_WORDBREAKS.
_stencilmap_words() {
    local line=${COMP_LINE:0:COMP_POINT}
    word=${line##*[[:space:]]}
    line=${line%"$word"}
    line=${line%"${line##*[![:space:]]}"}
    previous=${line##*[[:space:]]}
}

# Adds the candidates on standard input that begin with TEXT to COMPREPLY, without what bash takes
# as words of their own in front.
_stencilmap_reply() { # TEXT
    local candidate tail=${word##*["$COMP_WORDBREAKS"]}
    local front=${word%"$tail"}
    while read -r candidate; do
        [[ -n $candidate && $candidate == "$1"* ]] || continue
        candidate=${word%"$1"}$candidate
        COMPREPLY+=("${candidate#"$front"}")
    done
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *[=,:/] ]] || compopt -o nospace 2>/dev/null
}

# Completes the value of an option of ours where the cursor is at one, as "--option=value" or
# "--option value"; those called BARE have values behind '=' only.
_stencilmap_value() { # FUNCTION TOOL BARE
    local option=$previous value=$word
    if [[ $word == --*=* ]]; then
        option=${word%%=*} value=${word#*=}
    elif [[ $word == -* || " $3 " == *" $option "* ]]; then
        return 1
    fi
    "$1" "$2" "$option" "$value" >/dev/null || return 1
    _stencilmap_reply "$value" < <("$1" "$2" "$option" "$value")
}

# --- stencilmap

_stencilmap_tool_values() { # TOOL OPTION VALUE
    case $2 in
    --format)
        printf '%s\n' table csv json
        [[ $command != show ]] || printf '%s\n' nodes svg hostfile
        [[ $command != cores ]] || echo map_cpu
        [[ $command != detect ]] || echo svg
        ;;
    --cpu-bind) printf '%s\n' map_cpu: mask_cpu: ;;
    --mpi) printf '%s\n' pmi2 pmix none ;;
    --color) printf '%s\n' auto always never ;;
    -m | --distribution) printf '%s\n' block cyclic plane= ;;
    --topology | --script) _stencilmap_files "$3" ;;
    --lattice | --patch) ;;
    -[Nnw] | --nodes | --ntasks | --ntasks-per-node | --tasks-per-node | --nodelist | --cpus-per-node) ;;
    --stencil-placement | --stencil-report | --stencil-watch) return 1 ;;
    *) _stencilmap_values "$@" ;;
    esac
}

_stencilmap() {
    local word previous command=${COMP_WORDS[1]-} tool=$1
    COMPREPLY=()
    tool=${tool/#\~/$HOME}
    _stencilmap_words
    if [[ $COMP_CWORD -le 1 ]]; then
        _stencilmap_reply "$word" < <(printf '%s\n' plan show cores order topo detect dims help --help --version)
    elif [[ $command != @(plan|show|cores|order|topo|detect|dims) ]]; then
        return
    elif ! _stencilmap_value _stencilmap_tool_values "$tool" '' && [[ $word == -* || -z $word ]]; then
        _stencilmap_reply "$word" < <(printf '%s\n' --nodes= --ntasks= --ntasks-per-node= \
            --tasks-per-node= --distribution= --nodelist= --stencil-map= --stencil= \
            --stencil-dims= --stencil-periodic= --stencil-ranks= --stencil-effort= --stencil-objective= \
            --rank-order= --rank-hierarchy= --topology= --cpuset= --allowed= --cpu-bind= --cpus-per-task= --threads-per-core= \
            --ntasks-per-socket= --script= --cpus-per-node= --mpi= --strict --lattice= --patch= --level= \
            --format= --color=)
    fi
}
complete -F _stencilmap stencilmap

# --- stencilmap-bench, of each MPI

_stencilmap_bench_values() { # TOOL OPTION VALUE
    case $2 in
    --map)
        _stencilmap_list "$3" "$(_stencilmap_names stencilmap stencil-map) all step"
        ;;
    --stencil) _stencilmap_names stencilmap stencil && echo all ;;
    --instantiation) echo only ;;
    --orders) [[ $3 == *[,-]* ]] || echo all; _stencilmap_list "$3" "$_stencilmap_levels" ;;
    --hierarchy) _stencilmap_list "$3" "$_stencilmap_levels" | sed 's/$/:/' ;;
    --collectives) _stencilmap_list "$3" 'alltoall allreduce allgather' ;;
    --format) printf '%s\n' table csv json svg ;;
    --plot) _stencilmap_files "$3" ;;
    --dims | --periodic | --comm-size | --min | --max | --step | --repeats | --seconds) ;;
    *) return 1 ;;
    esac
}

_stencilmap_bench() {
    local word previous
    COMPREPLY=()
    _stencilmap_words
    _stencilmap_value _stencilmap_bench_values stencilmap --instantiation && return
    _stencilmap_reply "$word" < <(printf '%s\n' --stencil= --dims= --periodic= --map= --instantiation \
        --orders= --hierarchy= --comm-size= --collectives= --min= --max= --step= --repeats= --seconds= \
        --format= --plot= --quiet --help --version)
}
complete -F _stencilmap_bench stencilmap-bench{,.openmpi,.mpich}

# --- srun, sbatch, salloc

_stencilmap_slurm_values() { # TOOL OPTION VALUE
    _stencilmap_values "$@" || return
    case $2 in
    --stencil-map) echo off ;;
    --rank-order) [[ $3 == *[,:-]* ]] || printf '%s\n' off help ;;
    esac
}

# What completed a command before us: the words of its `complete`.
declare -gA _stencilmap_before

# Puts us before whatever completes the command now.
_stencilmap_register() { # COMMAND
    local now
    now=$(complete -p "$1" 2>/dev/null) || now=
    [[ $now == *' -F _stencilmap_slurm '* ]] || _stencilmap_before[$1]=$now
    complete -o bashdefault -o default -F _stencilmap_slurm "$1"
}

# bash-completion reads a command's completion when it is first wanted, which it would not do any
# more now that we are there.
_stencilmap_load() { # COMMAND
    local name
    [[ -z ${_stencilmap_before[$1]-} && -z ${_stencilmap_cache[loaded $1]-} ]] || return
    _stencilmap_cache[loaded $1]=1
    complete -r "$1"
    if declare -F _comp_load >/dev/null; then
        _comp_load -- "$1" >/dev/null 2>&1
    elif declare -F __load_completion >/dev/null; then
        __load_completion "$1" >/dev/null 2>&1
    fi
    for name in srun sbatch salloc; do # one file may have completed them all
        _stencilmap_register "$name"
    done
}

# Calls what completes the command otherwise, with its own options of `complete`.
_stencilmap_others() { # COMMAND WORD PREVIOUS
    local before i function=''
    read -ra before <<<"${_stencilmap_before[${1##*/}]-}"
    for ((i = 0; i < ${#before[@]} - 1; i++)); do
        [[ ${before[i]} != -F ]] || function=${before[i + 1]}
    done
    [[ -n $function ]] && declare -F "$function" >/dev/null || return
    compopt +o bashdefault +o default 2>/dev/null
    for ((i = 0; i < ${#before[@]} - 1; i++)); do
        [[ ${before[i]} != -o ]] || compopt -o "${before[i + 1]}" 2>/dev/null
    done
    "$function" "$@"
}

_stencilmap_slurm() {
    local word previous
    COMPREPLY=()
    _stencilmap_words
    _stencilmap_value _stencilmap_slurm_values stencilmap '--stencil-map --stencil-report --stencil-watch' && return
    _stencilmap_load "${1##*/}"
    _stencilmap_others "$@"
    [[ $word != --* ]] || _stencilmap_reply "$word" < <(printf '%s\n' --stencil-map --stencil= \
        --stencil-dims= --stencil-periodic= --stencil-ranks= --stencil-effort= --stencil-objective= \
        --stencil-placement= --stencil-report --stencil-watch --rank-order= --rank-hierarchy=)
}
for _stencilmap_name in srun sbatch salloc; do
    _stencilmap_register "$_stencilmap_name"
done
unset _stencilmap_name
