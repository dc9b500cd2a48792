#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The stencilmap command: what scripts may rely on. Speaks TAP; usage: test_tool.sh path/to/stencilmap
tool=${1:?usage: $0 path/to/stencilmap}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
count=0
failed=0

# result TEXT: one TAP line for the status of the last command.
result() {
    # shellcheck disable=SC2181
    if [ $? -eq 0 ]; then word=ok; else word='not ok'; failed=$((failed + 1)); fi
    count=$((count + 1))
    echo "$word $count - $1"
}

skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# run CODE ARGS...: the exit code is CODE; output in $dir/out and $dir/err.
run() {
    want=$1
    shift
    timeout 60 "$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    [ $got -eq "$want" ] && return
    echo "# exit $got, not $want: $(head -c 300 "$dir/err")"
    return 1
}

# gives WANT ARGS...: exit 0, nothing on stderr, and exactly these lines.
gives() {
    lines=$1
    shift
    if run 0 "$@" && [ "$(cat "$dir/out")" = "$lines" ] && [ ! -s "$dir/err" ]; then
        true
    else
        head -n 5 "$dir/out" | sed 's/^/# got: /'
        false
    fi
    result "$*"
}

# begins WANT ARGS...: exit 0, nothing on stderr, and output that begins like this.
begins() {
    lines=$1
    shift
    if run 0 "$@" && [ ! -s "$dir/err" ] &&
        case $(cat "$dir/out") in "$lines"*) true ;; *) false ;; esac; then
        true
    else
        sed 's/^/# got: /' "$dir/out" | head -n 8
        false
    fi
    result "$*"
}

# one_line FILE TEXT: the file is one line, and begins with the text.
one_line() {
    {
        IFS= read -r line || return 1
        IFS= read -r _ && return 1
    } <"$1"
    case $line in "$2"*) return 0 ;; *) return 1 ;; esac
}

# refuses CODE WANT ARGS...: that exit code, nothing on stdout, and the one line on stderr that
# begins with WANT.
refuses() {
    code=$1 text=$2
    shift 2
    if run "$code" "$@" && [ ! -s "$dir/out" ] && one_line "$dir/err" "$text"; then
        true
    else
        sed 's/^/# got: /' "$dir/err" | head -n 5
        false
    fi
    result "exit $code: $*"
}

step='-N 4 -n 32'
good=$(dirname "$0")/../data/topology/cgroup.xml # 3 cores on one socket, 1 on the other

# --- dims
gives 9x8 dims 72 2
run 0 dims 72 2 --format=csv && [ "$(tr '\n' ' ' <"$dir/out")" = 'dims 9x8 ' ]
result 'dims as CSV'
run 0 dims 72 2 --format=json && [ "$(tr -d ' \n' <"$dir/out")" = '[{"dims":"9x8"}]' ]
result 'dims as JSON'
gives 5x5 dims 25 2
gives 4x2x2 dims 16 3
gives 9x8x6 dims 432 3
gives 9x8x5x5 dims 1800 4
gives 1 dims 1 1
gives 65537x65535 dims 4294967295 2
gives 2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1 dims 2 16
refuses 2 'stencilmap: dims takes two numbers' dims
refuses 2 'stencilmap: dims takes two numbers' dims 72
refuses 2 'stencilmap: dims takes two numbers' dims 72 2 1
refuses 2 'stencilmap: dims takes two numbers' dims 72 2 1 --lattice=6x12
for p in '' 0 x 7x 1.5 ' 7' 4294967296 99999999999999999999 +7; do
    refuses 1 "stencilmap: dims: '$p' is no number of tasks" dims "$p" 2
done
for d in '' 0 17 -2 4294967298 99999999999999999999; do
    refuses 1 "stencilmap: dims: '$d' is no number of dimensions from 1 to 16" dims 72 -- "$d"
done
for d in x 2x x2 0x0x 2x-1 ' 2x0' 0x4294967296 0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0x0; do
    refuses 1 "stencilmap: dims: '$d' is neither a number of dimensions nor a grid like 0x7x0" \
        dims 72 "$d"
done
# What is given stays.
gives 4x7x3 dims 84 0x7x0
gives 2x7x6 dims 84 2x7x0
gives 1x72 dims 72 1x0
gives 3x4 dims 12 3x4
refuses 1 'stencilmap: dims: 0x5: the given sizes do not divide 12' dims 12 0x5
refuses 1 'stencilmap: dims: 3x2: the product is not the number of tasks 12' dims 12 3x2
refuses 1 'stencilmap: dims: 65536x65536: the product is not the number' dims 12 65536x65536
# A lattice: patches of the same size, least surface.
gives 3x3x2x3 dims 54 --lattice=18x18x18x36 --patch=4
gives 3x3x2x3 dims 54 4 --lattice=18x18x18x36
gives 2x3x3x3 dims 54 2x0x0x0 --lattice=18x18x18x36
gives "$(printf '%s\n' dims,patch 3x3x2x3,6x6x9x12)" dims 54 --lattice=18x18x18x36 --format=csv
refuses 1 'stencilmap: --lattice=18x18x18x36 --patch=4x4x4x6: no grid of 216 tasks divides the lattice into patches that large; near it, 162 does' \
    dims 216 --lattice=18x18x18x36 --patch=4x4x4x6
refuses 1 'stencilmap: --lattice=18x18x18x36: no grid of 7 tasks divides the lattice; near it, 6 and 8 do' \
    dims 7 --lattice=18x18x18x36
refuses 1 "stencilmap: --lattice=18x18: size 5 of dimension 1 does not divide the lattice's 18" \
    dims 5 0x5 --lattice=18x18
refuses 1 'stencilmap: --lattice=18x18: 2 dimensions, the grid has 3' dims 6 3 --lattice=18x18
refuses 1 'stencilmap: --lattice=18y18: not sizes like 18x18x18x36' dims 6 --lattice=18y18
refuses 1 'stencilmap: --patch=4: a patch of what? Say --lattice' dims 72 2 --patch=4
refuses 1 'stencilmap: --patch=4x4x4: 3 dimensions, the lattice has 2' \
    dims 6 --lattice=18x18 --patch=4x4x4
refuses 1 'stencilmap: --patch=0: not sizes like' dims 6 --lattice=18x18 --patch=0
# Nodes and a stencil: the grid whose best mapping costs least.
gives 8x4 dims 32 2 -N 4
gives 3x12 dims 36 2 '--stencil=1,0*4;-1,0*4;0,1;0,-1'
gives 2x2x4 dims 16 -N 4 --stencil=7pt --lattice=32x32x128
gives 2x16 dims 32 2x0 --tasks-per-node='8(x4)'
refuses 1 'stencilmap: dims: 99 tasks on the nodes, not 100' dims 100 2 -N 7 -n 99
refuses 1 'stencilmap: -N 8: more nodes than the 4 tasks' dims 4 2 -N 8
refuses 1 'stencilmap: --stencil-periodic=1: 1 flags for 2 dimensions' dims 32 2 --stencil-periodic=1
refuses 1 'stencilmap: --stencil=7pt: ' dims 32 2 --stencil=7pt

# --- the command line itself
run 2 && grep -q '^  stencilmap plan' "$dir/err" && [ ! -s "$dir/out" ]
result 'no command: usage on stderr'
run 2 fly && grep -q '^  stencilmap plan' "$dir/err"
result 'unknown command: usage on stderr'
for word in help --help -h; do
    run 0 $word && grep -q '^  stencilmap dims   72 2' "$dir/out" && [ ! -s "$dir/err" ] &&
        awk 'length > 80 { exit 1 }' "$dir/out"
    result "$word: usage on stdout"
done
# The examples of each command are lines that work, but for files of the user's.
for command in plan show cores order topo detect dims; do
    run 0 $command --help && cp "$dir/out" "$dir/help" && run 0 help $command && cmp -s "$dir/out" "$dir/help" &&
        run 0 $command -h && cmp -s "$dir/out" "$dir/help" && grep -q '^It ends with 0: done' "$dir/help" &&
        awk 'length > 80 { exit 1 }' "$dir/help" && grep -q "^  stencilmap $command " "$dir/help"
    result "help of $command"
    grep '^  stencilmap' "$dir/help" | grep -vE 'node.xml|job.sh|heat.comm' | sed 's/^  stencilmap //' >"$dir/examples"
    while read -r example; do
        eval "run 0 $example"
        result "example: $example"
    done <"$dir/examples"
done
run 0 help && [ "$(grep -c '^  ...  *--[a-z-]*' "$dir/out")" -ge 20 ] &&
    grep -q '^  -c, --cpus-per-task=K  *[a-z]' "$dir/out"
result 'the usage text has the options'
run 0 --version && grep -Eqx 'stencilmap [0-9]+\.[0-9]+\.[0-9]+' "$dir/out"
result '--version'
run 0 show -N2 -n16 --stencil-dims=4x4 --stencil-map=blocked --rank-hierarchy=socket:2,core:4 \
    --level=socket --color=never && [ "$(head -n 4 "$dir/out" | tr -d ' ' | tr '\n' ' ')" = '0011 0011 2233 2233 ' ]
result 'show --level: the objects of a level inside the nodes'
refuses 1 'stencilmap: --level=l3: not one of node, socket, core' show -N2 -n16 \
    --rank-hierarchy=socket:2,core:4 --level=l3
refuses 1 'stencilmap: --level=l3: not one of node; --rank-hierarchy or --topology names more' \
    show -N2 -n16 --level=l3
refuses 1 "stencilmap: the levels here are not regular, socket:2 core:5+4, and strict orders are asked for" \
    cores --topology="$(dirname "$0")/../data/topology/offline.xml" --rank-order=socket --strict
refuses 2 'stencilmap: unrecognized option' plan --fly
refuses 2 'stencilmap: invalid option' plan -z
refuses 2 'stencilmap: option requires an argument' plan -N
refuses 2 "stencilmap: option '--stencil' requires an argument" plan --stencil
for command in plan show cores; do
    refuses 2 "stencilmap: $command takes options only, not 'words'" $command words
done
run 0 plan --stencil-map=help && [ "$(cut -d' ' -f1 "$dir/out" | head -n 2 | tr '\n' ' ')" = \
    'blocked hyperplane ' ]
result '--stencil-map=help lists the algorithms'
run 0 show --stencil=help && grep -q '^crank-nicolson  ' "$dir/out"
result '--stencil=help lists the stencils'

# --- the sizes of a step
bad_number='not a number from 1 on'
for value in '' 0 -1 +4 4x ' 4' 1.5 4294967296 99999999999999999999 2-4; do
    refuses 1 "stencilmap: --nodes=$value: $bad_number" show -n 4 --nodes="$value"
done
for value in '' 4x 4294967296; do
    refuses 1 "stencilmap: --ntasks=$value: $bad_number" show -N 1 --ntasks="$value"
    refuses 1 "stencilmap: --ntasks-per-node=$value: $bad_number" plan -N 1 \
        --ntasks-per-node="$value"
done
for value in '' 0 '4(x' '4(x0)' '4(x2)x' 4,,4 4294967296; do
    refuses 1 "stencilmap: '$value' is not a list of tasks per node like 48(x50),16" show \
        --tasks-per-node="$value"
done
refuses 1 'stencilmap: more than 4294967295 tasks' show --tasks-per-node='65536(x65536)'
refuses 1 'stencilmap: more than 4294967295 tasks' show -N 65536 --ntasks-per-node=65536
refuses 1 'stencilmap: -N 5: more nodes than the 4 tasks' show -N 5 -n 4
refuses 1 'stencilmap: --tasks-per-node=4,4: 8 tasks, --ntasks says 9' show -n 9 \
    --tasks-per-node=4,4
refuses 1 'stencilmap: --tasks-per-node=4,4: 2 nodes, --nodes says 3' show -N 3 \
    --tasks-per-node=4,4
for options in '' '-N 4' '-n 4' '--ntasks-per-node=4'; do
    # shellcheck disable=SC2086
    refuses 1 'stencilmap: say how many tasks run where' plan $options
done
# Four ways to say the same; 10 tasks on 3 nodes are 4, 3, 3.
dealt=$(printf '%s\n' 0 0 0 0 1 1 1 2 2 2)
for options in '-N 3 -n 10' '--nodes=3 --ntasks=10' '--tasks-per-node=4,3(x2)' \
    '-n 10 --ntasks-per-node=4'; do
    # shellcheck disable=SC2086
    gives "$dealt" show $options --stencil-map=blocked --format=nodes
done
gives "$(printf '%s\n' 0 0 1 1)" show -N 2 --ntasks-per-node=2 --stencil-map=blocked --format=nodes

# --- show
gives "$(printf '%s\n' 0 0 1 1 0 0 1 1)" show -N 2 -n 8 --stencil-dims=2x4 --format=nodes
gives "$(printf '%s\n' 0 0 0 0 0 0 0 1 1 1 1 1 2 2 2 2)" show --tasks-per-node=7,5,4 \
    --stencil-map=blocked --format=nodes
gives "$(printf '%s\n' node8 node8 node66 node66)" show -N 2 -n 4 -w 'node[8,66]' \
    --stencil-map=blocked --format=hostfile
gives "$(printf '%s\n' b b a a b b a a)" show -N 2 -n 8 --stencil-dims=2x4 -w b,a --format=hostfile
gives "$(printf '%s\n' cell,coords,node,slot '0,"0,0",0,0' '1,"0,1",0,1' '2,"1,0",1,0' \
    '3,"1,1",1,1')" show -N 2 -n 4 --stencil-map=blocked --format=csv
# Slots are the cells of a node in order, also where the objective `levels` exchanged nodes.
for map in random best; do
    run 0 show -N 8 -n 64 --stencil-map=$map --stencil-dims=8x8 --stencil-objective=levels \
        --rank-hierarchy=switch:2,node:4,core:8 --format=csv &&
        awk -F, 'NR > 1 && $NF != seen[$(NF - 1)]++ { exit 1 } END { exit NR != 65 }' "$dir/out"
    result "slots of $map with the objective levels"
done
# Two ranks outside of the grid, first or last: they stay, and the grid's ranks are cells.
outside='-N 3 -n 10 --stencil-dims=2x4 --stencil-map=hyperplane'
# shellcheck disable=SC2086
{
    gives "$(printf '%s\n' a b a a a b b c c c)" show --tasks-per-node=4,3,3 -w a,b,c \
        --stencil-dims=2x4 --stencil-map=blocked --stencil-ranks=2-9 -m cyclic --format=hostfile
    run 0 show $outside --stencil-ranks=2-9 -w a,b,c --format=hostfile &&
        [ "$(head -n 2 "$dir/out" | tr '\n' ' ')" = 'a a ' ] &&
        [ "$(sort "$dir/out" | uniq -c | awk '{printf "%s%s ", $1, $2}')" = '4a 3b 3c ' ]
    result 'outside ranks stay, and so do counts'
    run 0 show $outside --stencil-ranks=0-7 -w a,b,c --format=hostfile &&
        [ "$(tail -n 2 "$dir/out" | tr '\n' ' ')" = 'c c ' ]
    result 'outside ranks at the end stay'
    run 0 show $outside --stencil-ranks=2-9 --format=nodes && [ "$(wc -l <"$dir/out")" -eq 8 ]
    result 'one node per cell'
    run 0 show $outside --stencil-ranks=2-9 --format=csv &&
        [ "$(head -n 2 "$dir/out")" = "$(printf '%s\n' cell,coords,node,slot,rank '0,"0,0",0,2,2')" ]
    result "a cell's rank, and its place on the node"
    run 0 show $outside --stencil-ranks=2-9 && grep -q ' on 2x4 (ranks 2-9) over 3 nodes' "$dir/out"
    result 'the summary names the ranks'
    run 0 plan $outside --stencil-ranks=2-9
    result 'plan of part of the ranks'
    refuses 1 'stencilmap: --stencil-dims=2x4: product 8 is not the number of tasks 10; if the grid is part of the ranks, say which: --stencil-ranks=0-7' \
        show $outside
    refuses 1 'stencilmap: --stencil-ranks=2-10: the last of 10 tasks is rank 9' show $outside \
        --stencil-ranks=2-10
}
# A node without a rank of the grid takes no part, and nodes keep their numbers.
gives "$(printf '%s\n' 1 1 2 2 1 1 2 2)" show --tasks-per-node='2,4(x2),3' --stencil-ranks=2-9 \
    --stencil-dims=2x4 --format=nodes
begins "$(printf '%s\n' ' 0 0 1 1' ' 0 0 1 1' \
    'hyperplane, nn on 2x4 over 2 nodes: J_sum 8 -> 4 (-50 %), J_max 4 -> 2')" \
    show -N 2 -n 8 --stencil-dims=2x4 --stencil-map=hyperplane
# Without a value as srun takes it: the words end, or an option follows.
for options in '--stencil-dims=2x4 --stencil-map' '--stencil-map --stencil-dims=2x4'; do
    # shellcheck disable=SC2086
    begins "$(printf '%s\n' ' 0 0 1 1' ' 0 0 1 1' 'best, nn on 2x4 over 2 nodes: ')" \
        show -N 2 -n 8 $options
done
begins "$(printf '%s\n' ' 0 0 1 1' ' 0 0 1 1' 'kdtree, nn on 2x4 over 2 nodes: ')" \
    show -N 2 -n 8 --stencil-map kdtree --stencil-dims=2x4
begins "$(printf '%s\n' ' 0 0 1 1 2' \
    'blocked, nn on 5 over 3 nodes: J_sum 4 -> 4, J_max 2 -> 2')" \
    show --tasks-per-node=2,2,1 --stencil-dims=5 --stencil-map=blocked
begins "$(printf '%s\n' 'slice 0' ' 0 0' ' 0 0' '' 'slice 1' ' 1 1' ' 1 1' \
    'blocked, nn on 2x2x2 over 2 nodes: J_sum 8 -> 8, J_max 4 -> 4')" \
    show -N 2 -n 8 --stencil-dims=2x2x2 --stencil-map=blocked
begins "$(printf '%s\n' 'slice 0' ' 0 0 0 0' ' 0 0 0 0' ' 0 0 1 1' '' 'slice 1' ' 1 1 1 1' ' 1 1 1 1' \
    ' 1 1 1 1')" show --tasks-per-node=10,14 --stencil-dims=2x3x4 --stencil-map=blocked
run 0 show -N 2 -n 12 --stencil-dims=2x2x3 --stencil-map=hyperplane --format=svg &&
    sed 3d "$dir/out" | cmp - "$(dirname "$0")/../data/show.svg"
result 'a picture of slices, but for its caption'
for format in table svg; do
    refuses 1 'stencilmap: pictures are for 1 to 3 dimensions, the grid has 4' show -N 2 -n 16 \
        --stencil-dims=2x2x2x2 --format=$format
done
run 0 show -N 2 -n 16 --stencil-dims=2x2x2x2 --format=nodes && [ "$(wc -l <"$dir/out")" -eq 16 ]
result 'nodes of a 4-D grid'
# shellcheck disable=SC2086
{
    run 0 show $step --color=always && grep -q "$(printf '\033\\[48;2;')" "$dir/out"
    result '--color=always colours'
    run 0 show $step --color=never && ! grep -q "$(printf '\033')" "$dir/out"
    result '--color=never does not'
    run 0 show $step --color=auto && ! grep -q "$(printf '\033')" "$dir/out"
    result '--color=auto does not colour a file'
    for value in '' red; do
        refuses 1 "stencilmap: --color=$value: not one of auto, always, never" show $step \
            --color="$value"
    done
    for value in '' xml; do
        refuses 1 "stencilmap: --format=$value: not one of table, csv, json, nodes, svg, hostfile" \
            show $step --format="$value"
        refuses 1 "stencilmap: --format=$value: not one of table, csv, json" plan $step \
            --format="$value"
        refuses 1 "stencilmap: --format=$value: not one of table, csv, json, map_cpu" cores \
            --format="$value"
    done
    refuses 1 'stencilmap: --format=hostfile: name the nodes with -w' show $step --format=hostfile
    refuses 1 'stencilmap: --nodelist=n[1-3]: 3 nodes, the step has 4' show $step -w 'n[1-3]' \
        --format=hostfile
    for value in '' 'n[1-' 'n[2-1]' 'n1,'; do
        run 1 show $step -w "$value" --format=hostfile && [ ! -s "$dir/out" ] &&
            grep -q 'is not a list of nodes like' "$dir/err"
        result "exit 1: -w '$value'"
    done
    for value in '' 50x47 4x 0x32 4294967296x1 65536x65536; do
        refuses 1 "stencilmap: --stencil-dims=$value: " show $step --stencil-dims="$value"
    done
    refuses 1 'stencilmap: --stencil-dims=5x6: product 30 is not the number of tasks 32' plan \
        $step --stencil-dims=5x6
    for value in '' junk '1,' 1,0*0 1000001,0 1,0*1000001 0,0 7pt; do
        refuses 1 "stencilmap: --stencil=$value: " show $step --stencil-dims=4x8 --stencil="$value"
    done
    for value in '' 2 1 1,0,1 '1,0,' yes; do
        refuses 1 "stencilmap: --stencil-periodic=$value: " show $step --stencil-periodic="$value"
    done
    for value in '' magic blockedx; do
        refuses 1 "stencilmap: --stencil-map=$value: not one of blocked, hyperplane" show $step \
            --stencil-map="$value"
        refuses 1 "stencilmap: --stencil-map=$value: not one of blocked, hyperplane" plan $step \
            --stencil-map="$value"
    done
    refuses 1 'stencilmap: --stencil-map=off: nothing to preview' show $step --stencil-map=off
    for value in '' arbitrary plane plane=0 plane=4x plane=4294967296 junk; do
        refuses 1 "stencilmap: --distribution=$value: not block, cyclic or plane=K" plan $step \
            -m "$value"
    done
}
refuses 1 'stencilmap: --stencil-map=nodecart: nodecart needs the same number of tasks' show \
    --tasks-per-node=7,5,4 --stencil-map=nodecart

# --- plan
header=algorithm,jsum,jmax,blocked_jsum,blocked_jmax,bound,seconds
run 0 plan -N 50 -n 2400 --format=csv && [ "$(head -n 1 "$dir/out")" = $header ] &&
    grep -q '^hyperplane,1328,38,4704,96,' "$dir/out" &&
    grep -q '^blocked,4704,96,4704,96,' "$dir/out" &&
    awk -F, 'NF != 7 { exit 1 }' "$dir/out"
result 'plan --format=csv: columns and published values'
run 0 plan -N 4 -n 32 --stencil-dims=4x8 --stencil=5pt --stencil-map=hyperplane --format=csv &&
    [ "$(wc -l <"$dir/out")" -eq 2 ] && grep -q '^hyperplane,24,6,48,16,' "$dir/out"
result 'plan of one algorithm'
run 0 plan --tasks-per-node=7,5,4 --format=csv && ! grep -q nodecart "$dir/out" &&
    grep -q '^kdtree,' "$dir/out"
result 'plan leaves out what cannot serve the step'
run 0 plan -N 2 -n 8 --stencil-dims=2x4 -m cyclic --format=csv &&
    grep -q '^blocked,8,4,12,6,' "$dir/out"
result 'plan compares with -m cyclic'
run 0 plan -N 2 -n 8 --stencil-dims=2x4 -m block:cyclic --format=csv &&
    grep -q '^blocked,8,4,8,4,' "$dir/out"
result 'plan compares with -m block:cyclic'
run 0 plan -N 2 -n 8 && [ "$(awk '{ print $1 }' "$dir/out" | head -n 1)" = algorithm ]
result 'plan as a table'
run 0 plan -N 2 -n 8 && [ "$(tail -n 1 "$dir/out")" = \
    'grid 4x2 assumed: ranks 0 and 1 differ in the last dimension' ]
result 'plan calls a grid assumed that was not typed'
run 0 plan -N 2 -n 8 --stencil-dims=2x4,column && [ "$(tail -n 1 "$dir/out")" = \
    'grid 2x4,column: ranks 0 and 1 differ in the first dimension' ]
result 'plan tells which ranks are neighbours'
run 0 show -N 2 -n 8 --stencil-map=hyperplane && [ "$(tail -n 2 "$dir/out")" = "$(printf '%s\n' \
    'hyperplane, nn on grid 4x2 assumed over 2 nodes: J_sum 4 -> 4, J_max 2 -> 2, J_sum is optimal: nothing gained, layout left alone' \
    'ranks 0 and 1 differ in the last dimension')" ]
result 'show calls a grid assumed that was not typed'

# What srun does where pmi2 cannot tell MPI who shares a node.
cube='-N8 -n320 --stencil-dims=8x8x5 --stencil=7pt'
# shellcheck disable=SC2086
{
    run 0 plan $cube && [ "$(tail -n 2 "$dir/out")" = \
        "$(printf '%s\n' '--mpi=pmi2 has no room to tell MPI of: hyperplane (comm), kdtree (comm), best' '  (another)')" ]
    result 'plan names what pmi2 cannot tell MPI'
    run 0 plan $cube --mpi=PMI2 && [ "$(tail -n 2 "$dir/out")" = \
        "$(printf '%s\n' '--mpi=pmi2 has no room to tell MPI of: hyperplane (comm), kdtree (comm), best' '  (strips)')" ]
    result 'plan --mpi=pmi2 names what is launched in place of best'
    run 0 plan $cube --mpi=pmi2 --format=csv --stencil-map=kdtree &&
        one_line "$dir/err" 'stencilmap: --mpi=pmi2 has no room to tell MPI of: kdtree (comm)'
    result 'plan --mpi=pmi2 says so beside CSV'
    run 0 show $cube --mpi=pmi2 --format=nodes && cp "$dir/out" "$dir/told" &&
        one_line "$dir/err" 'stencilmap: strips in place of what best found, which pmi2 cannot tell MPI' &&
        run 0 show $cube --stencil-map=strips --format=nodes && cmp -s "$dir/out" "$dir/told"
    result 'show --mpi=pmi2 shows what is launched in place of best'
    run 0 show $cube --mpi=pmi2 --stencil-map=kdtree --format=nodes && one_line "$dir/err" \
        'stencilmap: comm: --mpi=pmi2 has 673 bytes to tell MPI which ranks share a node, and this layout takes '
    result 'show --mpi=pmi2: what becomes of another mapping'
    run 0 show $cube --mpi=pmix --stencil-map=kdtree --format=nodes && [ ! -s "$dir/err" ]
    result 'show --mpi=pmix'
}

# --- cores: the paper's LUMI lists
lumi='--rank-hierarchy=2,4,2,8 -n 8 --format=map_cpu'
# shellcheck disable=SC2086
{
    gives 0,8,16,24,32,40,48,56 cores $lumi --rank-order=2-1-0-3
    gives 0,1,2,3,4,5,6,7 cores $lumi --rank-order=3-2-1-0
    gives 0,64,16,80,32,96,48,112 cores $lumi --rank-order=0-1-2-3
    gives 0,1,2,3,4,5,6,7 cores $lumi
}
gives 0,1,2,3,4,5,6,7 cores --rank-hierarchy=2,4 --format=map_cpu
# With the nodes known, bare numbers may begin with them: several, or one, where the tasks have room.
gives 0,1,2,3 cores -N4 --rank-hierarchy=2,2,4 --rank-order=1-0-2 --format=map_cpu
gives 0,4,8,12,1,5,9,13,2,6,10,14,3,7,11,15 cores --rank-hierarchy=2,2,4 --rank-order=1-0-2 \
    --format=map_cpu
gives 0,4,1,5,2,6,3,7 cores -N2 -n 8 --rank-hierarchy=2,4 --rank-order=0-1 --format=map_cpu
gives 0,1,2,3 cores -N2 -n 4 --rank-hierarchy=2,4 --rank-order=0-1 --format=map_cpu
refuses 1 'stencilmap: --nodes=0: not a number from 1 on' cores -N0 --rank-hierarchy=2,4
gives "$(printf '%s\n' order,ranks,ring_cost,pair_percent,distribution \
    '1-0-2,16,37,20.0 26.7 53.3,cyclic:block')" order -N4 --rank-hierarchy=2,2,4 \
    --rank-order=1-0-2 --format=csv
begins algorithm,jsum,jmax,blocked_jsum,blocked_jmax,bound,seconds,rack,blocked_rack,socket,blocked_socket \
    plan -N 4 -n 32 --stencil-map=blocked --rank-hierarchy=rack:2,node:2,socket:2,core:4 --format=csv
gives "$(printf '%s\n' 'order  ranks  ring_cost  pair_percent  distribution' \
    '0-1        4          6  33.3 66.7     block:cyclic' \
    '1-0        4          3  100.0 0.0     block:block')" order --rank-hierarchy=2,4 -n 4
gives "$(printf '%s\n' order,ranks,ring_cost,pair_percent,distribution \
    '1-0,4,3,100.0 0.0,block:block')" order --rank-hierarchy=2,4 --rank-order=1-0 -n 4 --format=csv
gives 0,4,1,5,2,6,3,7 cores --rank-hierarchy=socket:2,core:4 --rank-order=socket,core \
    --format=map_cpu
for order in core,socket,node 1-0 2-1-0 block:block node,core,socket 2-0-1 plane=4; do
    gives 0,1,2,3 cores --rank-hierarchy=node:3,socket:2,core:4 --rank-order=$order -n 4 \
        --format=map_cpu
done
gives 0,4,1,5 cores --rank-hierarchy=rack:2,node:3,socket:2,core:4 --rank-order=rack,socket,core \
    -n 4 --format=map_cpu
gives "$(printf '%s\n' task,core,cpus 0,0,0 1,4,4)" cores --rank-hierarchy=2,4 --rank-order=0-1 \
    -n 2 --format=csv
for value in '' x '2,' 2,0 2x4 99999999999999999999 socket:0 4294967296,4294967296; do
    refuses 1 "stencilmap: --rank-hierarchy=$value: " cores --rank-hierarchy="$value"
done
refuses 1 'stencilmap: --rank-hierarchy=node:2: no level inside a node' cores \
    --rank-hierarchy=node:2 --rank-order=node
# Upper and lower case mean the same, but in names of files and nodes.
gives "$(printf '%s\n' A A b b)" show -N 2 -n 4 -w A,b --stencil-map=BLOCKED --stencil=5PT --stencil-dims=2X2 \
    --stencil-effort=FAST --stencil-objective=Max -m Block --format=HostFile
gives 0,4,1,5 cores --rank-hierarchy=Socket:2,CORE:4 --rank-order=SOCKET,Core -n 4 --format=MAP_CPU
gives 0,4,1,5 cores --rank-hierarchy=socket:2,core:4 --rank-order=Block:CYCLIC -n 4 --format=map_cpu
refuses 3 "stencilmap: --topology=$dir/None.XML: No such file" cores --topology="$dir/None.XML"

# Tasks of several cores, threads, and a limit per socket; what is shown is what a task gets.
gives "$(printf '%s\n' task,core,cpus '0,0,"0,1,2,3,4"' '1,6,"6,7,8,9,10"')" cores -c 5 \
    --rank-hierarchy=socket:2,core:6 --format=csv
gives 0,4,8,12 cores -c 2 --rank-hierarchy=socket:2,core:4,pu:2 --threads-per-core=1 --format=map_cpu
gives 0,1,6,7 cores --ntasks-per-socket=2 --rank-hierarchy=socket:2,core:6 --format=map_cpu
refuses 1 'stencilmap: --cpus-per-task=49: a task of 49 cores, but only 24 here (2 12)' cores \
    --rank-hierarchy=2,12 -c 49
refuses 1 'stencilmap: --cpus-per-task=5: room for 2 tasks of 5 cores, not for 3 (socket:2 core:6)' \
    cores --rank-hierarchy=socket:2,core:6 -c 5 -n 3
refuses 1 'stencilmap: --threads-per-core=3: cores of --rank-hierarchy=core:2,pu:2 have 2' cores \
    --rank-hierarchy=core:2,pu:2 --threads-per-core=3
refuses 1 'stencilmap: --threads-per-core=2: cores here have 1 hardware thread' cores \
    --topology="$good" --threads-per-core=2
for option in -c --threads-per-core --ntasks-per-socket; do
    for command in 'plan -N 1 -n 4' 'show -N 1 -n 4' 'cores --rank-hierarchy=2,4'; do
        # shellcheck disable=SC2086
        run 1 $command $option 0 && grep -q ': not a number from 1 on$' "$dir/err"
        result "$command $option 0"
    done
done
run 0 cores --rank-hierarchy=2,4 -n 1 &&
    [ "$(head -n 1 "$dir/out")" = 'cpus by logical number, as --rank-hierarchy counts them: 2,4' ]
result 'cores says which numbering it prints'
run 0 cores --topology="$good" -n 1 && head -n 1 "$dir/out" | grep -q "^cpus as the kernel of $good's"
result 'cores says whose numbering it prints'
timeout 60 "$tool" topo --topology="$(dirname "$0")/../data/topology/no-core.xml" >/dev/null 2>"$dir/err" &&
    one_line "$dir/err" 'stencilmap: this machine shows no cores, its hardware threads stand for them'
result 'a machine without cores says so'

# The levels of plan and show obey the same options: socket 0 is full earlier.
levels() { # PICTURE OPTIONS: the sockets of 8 cells on 2 nodes
    picture=$1
    shift
    run 0 show -N 2 -n 8 --stencil-dims=2x4 --stencil-map=blocked --level=socket --color=never "$@" &&
        [ "$(head -n 2 "$dir/out" | tr -d ' ' | tr '\n' ' ')" = "$picture " ]
    result "show --level=socket $*"
}
levels '0000 2222' --rank-hierarchy=socket:2,core:8
levels '0011 2233' --rank-hierarchy=socket:2,core:8 -c 4
levels '0011 2233' --rank-hierarchy=socket:2,core:8 --ntasks-per-socket=2
levels '0011 2233' --rank-hierarchy=socket:2,core:4,pu:2 --threads-per-core=1 -c 2
levels '0000 2222' --rank-hierarchy=socket:2,core:4,pu:2 -c 2
refuses 1 'stencilmap: --cpus-per-task=5: room for 3 tasks of 5 cores, not for 4 (socket:2 core:8)' \
    plan -N 2 -n 8 --rank-hierarchy=socket:2,core:8 -c 5
refuses 1 'stencilmap: --rank-order=core puts 4 tasks on one socket, --ntasks-per-socket=2' \
    show -N 2 -n 8 --rank-hierarchy=socket:2,core:8 --rank-order=core --ntasks-per-socket=2
run 0 plan -N 2 -n 8 --stencil-dims=2x4 --rank-hierarchy=socket:2,core:8 -c 4 --stencil-map=blocked \
    --format=csv && grep -q '^blocked,8,4,8,4,4,[0-9.]*,12,12$' "$dir/out"
result 'plan -c: crossings of the sockets'
run 0 plan -N 1 -n 3 --topology="$good" --stencil-map=blocked --format=csv
result 'plan on an irregular machine'

# --- part of a machine: 8 cores with cpus c and c + 8, two L3s of two cores in each of two sockets
smt=$(dirname "$0")/../data/topology/two-sockets-smt.xml
gives 'levels,regular,cores,cpus,threads
socket:2 l3:2 core:2,yes,8,16,2' topo --topology="$smt" --format=csv
for part in --cpuset=0-2,4-5,8-10 --allowed=737 --allowed=0x00000737; do
    gives 'levels,regular,cores,cpus,threads
socket:2 l3:2+1 core:2+1+2,no,5,8,1..2' topo --topology="$smt" $part --format=csv
done
gives 2,6 cores --topology="$smt" --cpuset=2,6,14 --rank-order=socket --format=map_cpu
gives 4 cores --topology="$smt" --cpuset=0-7 --allowed=f0 -n 1 --format=map_cpu
# Four tasks of a node on one socket of it: that level is gone.
for part in '--cpuset=0-3|l3,blocked_l3|12,12' '--allowed=ffff|socket,blocked_socket,l3,blocked_l3|12,12,12,12'; do
    options=${part%%|*} columns=${part#*|}
    run 0 plan -N 2 -n 8 --stencil-dims=2x4 --stencil-map=blocked --topology="$smt" "$options" \
        --rank-order=socket,core --format=csv &&
        [ "$(cut -d, -f8- "$dir/out" | paste -sd '|')" = "$columns" ]
    result "plan $options"
done
refuses 1 'stencilmap: --cpuset=0,16: cpu 16 is not here; there are 0-15' topo --topology="$smt" \
    --cpuset=0,16
refuses 1 'stencilmap: --allowed=f0: cpu 4 is not here; there are 0-3' topo --topology="$smt" \
    --cpuset=0-3 --allowed=f0
for value in '' x 3-1 0, 0x3; do
    refuses 1 "stencilmap: --cpuset=$value: not a list of cpus like 0-3,8" cores --topology="$smt" \
        --cpuset="$value"
done
for value in '' 0 xyz 1,0; do
    refuses 1 "stencilmap: --allowed=$value: not a mask of cpus like ff or 0xff00" cores \
        --topology="$smt" --allowed="$value"
done
for command in cores 'plan -N1 -n4' 'show -N1 -n4' 'cores --cpu-bind=map_cpu:0'; do
    # shellcheck disable=SC2086
    refuses 1 'stencilmap: --cpuset=0-3: cpus of a machine; of --rank-hierarchy alone all cores are used' \
        $command --cpuset=0-3 --rank-hierarchy=2,4
done
refuses 1 'stencilmap: --topology='"$smt"': 4 tasks, but only 3 cores here' plan -N1 -n4 \
    --topology="$smt" --cpuset=0-2

# --- lists of --cpu-bind
gives 'task,core,cpus,socket,l3
0,0,0,0,0
1,4,4,1,2
2,1,1,0,0
3,7,15,1,3' cores --topology="$smt" --cpu-bind=map_cpu:0,4,0x1,15 --format=csv
gives 'task,core,cpus,socket,l3
0,0,"0,1,8,9",0,0
1,2,"2,3,10,11",0,1' cores --topology="$smt" --cpu-bind=quiet,mask_cpu:0x303,C0C --format=csv
begins "cpus as the kernel of $smt's machine numbers them: socket:2 l3:2 core:2 pu:2
task  core  cpus  socket  l3
   0     0  0     0       0
   1     1  1     0       0
   2     2  2     0       1
   3     4  4     1       2
of 3 pairs of consecutive tasks cross: socket 1, l3 2, core 3" cores --topology="$smt" \
    --cpu-bind=map_cpu:0,1,2,4
run 0 cores --topology="$smt" --cpu-bind=map_cpu:0,1,2,4 --stencil-dims=2x2 --stencil=5pt &&
    [ "$(tail -n 1 "$dir/out")" = 'of 8 messages of 5pt on 2x2 cross: socket 4, l3 6, core 8' ]
result 'cores --cpu-bind of a grid'
run 0 cores --rank-hierarchy=2,4 --cpu-bind=map_cpu:0,4,1 &&
    [ "$(tail -n 1 "$dir/out")" = 'of 2 pairs of consecutive tasks cross: level0 2, level1 2' ]
result 'cores --cpu-bind on a bare hierarchy'
# What cores chooses it reads again.
for order in socket,l3,core core,l3,socket l3,socket; do
    list=$("$tool" cores --topology="$smt" --rank-order=$order --format=map_cpu)
    run 0 cores --topology="$smt" --cpu-bind="map_cpu:$list" --format=csv && [ ! -s "$dir/err" ] &&
        [ "$(sed '1d; s/^[0-9]*,[0-9]*,\([0-9]*\),.*/\1/' "$dir/out" | paste -sd ,)" = "$list" ]
    result "cores --cpu-bind of what --rank-order=$order is"
done
odd() { # LIST LINES: what is odd about it
    run 0 cores --topology="$smt" --format=csv --cpu-bind="$1" -n 4 &&
        [ "$(sed 's/^stencilmap: //' "$dir/err")" = "$2" ]
    result "cores --cpu-bind=$1: what is odd"
}
odd map_cpu:0,1,2,4 ''
odd map_cpu:0,4 '2 entries for 4 tasks: they come again from the first on
tasks 0 and 2 have a cpu in common, and 1 more
6 cores have no task'
odd map_cpu:0,8,1,2,3 'of 5 entries the first 4 are used
tasks 0 and 1 have a core in common
5 cores have no task'
odd map_cpu:0*2,8,9 'tasks 0 and 1 have a cpu in common
tasks 0 and 2 have a core in common
6 cores have no task'
odd mask_cpu:0xffff*4 'tasks 0 and 1 have a cpu in common, and 2 more
task 0 has cpus in more than one socket, and 3 more'
odd mask_cpu:1,2,14,8 'task 2 has cpus in more than one socket'
refuses 1 'stencilmap: --cpu-bind=map_cpu:0,16: cpu 16 is not here; there are 0-15' cores \
    --topology="$smt" --cpu-bind=map_cpu:0,16
refuses 1 'stencilmap: --cpu-bind=map_cpu:0,4: cpu 4 is not here; there are 0-3' cores \
    --topology="$smt" --cpuset=0-3 --cpu-bind=map_cpu:0,4
refuses 1 'stencilmap: --cpu-bind=cores: not a list like map_cpu:0,8,16 or mask_cpu:0xff,0xff00' \
    cores --topology="$smt" --cpu-bind=cores
refuses 1 'stencilmap: --cpu-bind=map_cpu:0: says itself which cpus each task gets' cores \
    --topology="$smt" --cpu-bind=map_cpu:0 --rank-order=core
refuses 1 'stencilmap: --format=map_cpu: not one of table, csv, json where --cpu-bind is' cores \
    --topology="$smt" --cpu-bind=map_cpu:0 --format=map_cpu

# --- lines of srun
unset SLURM_JOB_ID SLURM_JOB_NODELIST SLURM_JOB_CPUS_PER_NODE SLURM_NTASKS SLURM_NNODES STENCILMAP_OPTIONS
placed() { # WANT ARGS...: what plan says of the placement
    placement="placement: $1"
    shift
    run 0 plan "$@" && [ ! -s "$dir/err" ] &&
        [ "$(sed -n '/^placement/,$p' "$dir/out" | paste -sd ' ' | tr -s ' ')" = "$placement" ] ||
        { sed 's/^/# got: /' "$dir/out" "$dir/err"; false; }
    result "plan $*"
}
launched='launch; where nothing is gained the layout is left alone'
grid='--stencil-map=hyperplane --stencil-dims=4x8'
# shellcheck disable=SC2086
{
    placed 'comm: the nodes are not known yet (use sbatch, salloc or -w)' -- srun -N4 -n32 $grid ./heat -n 7 -N 9
    placed "$launched" -- srun -N4 -n32 --ntasks-per-node=8 -w 'n[1-4]' $grid ./heat --help
    placed "$launched" -- /usr/bin/srun -N 4 --ntasks-per-node 8 --nodelist=n1,n2,n3,n4 -K1 -lu --exclusive -t 10 \
        --mpi=pmix $grid -- ./heat
    placed 'comm: --exclude is set' -- srun -N4 -n32 -w 'n[1-4]' -x n9 $grid ./heat
    placed 'comm, as --stencil-placement says' -- srun -N4 -n32 -w 'n[1-4]' $grid --stencil-placement=comm ./heat
    placed 'comm: --distribution names the sockets, and the job'"'"'s CPUs are not known yet' -- srun -N4 -n16 --ntasks-per-node=4 -c2 \
        -w 'n[1-4]' -m block:block --stencil-map ./heat
    for per_task in -c4 --tres-per-task=cpu=4; do
        placed "$launched" --topology="$smt" --cpus-per-node='16(x4)' -- srun -N4 -n16 $per_task -w 'n[1-4]' \
            -m block:block --stencil-map ./heat
    done
    placed 'comm: the step fills only part of its nodes, and there --distribution chooses the cores' \
        --topology="$smt" --cpus-per-node='16(x4)' -- srun -N4 -n16 --ntasks-per-node=4 -c2 -w 'n[1-4]' \
        -m block:block --stencil-map ./heat
    refuses 1 'stencilmap: --stencil-placement=launch: not possible: the nodes are not known yet' plan -- srun \
        -N4 -n32 $grid --stencil-placement=launch ./heat
}
# The layout is that of Slurm's rules for the line: plane, cyclic, or nodes with room for few.
for case in '-m plane=2|4' '-m cyclic|12' '-m block|8'; do
    # shellcheck disable=SC2086
    run 0 plan --format=csv -- srun -N2 -n8 -w a,b ${case%|*} --stencil-map=blocked --stencil-dims=2x4 x &&
        grep -q "^blocked,8,4,${case#*|}," "$dir/out"
    result "plan compares with ${case%|*} of the line"
done
run 0 plan --format=csv --cpus-per-node=6,2 -- srun -N2 -n8 --stencil-map=blocked --stencil-dims=8 x &&
    grep -q '^blocked,2,1,2,1,' "$dir/out" && run 0 plan --format=csv --cpus-per-node=6,2 -- \
    srun -N2 -n8 --stencil-map=blocked --stencil-dims=4x2 x && grep -q '^blocked,4,2,' "$dir/out"
result 'plan --cpus-per-node: nodes with room for different numbers of tasks'
refuses 1 "stencilmap: 'mpirun': not a line of srun" plan -- mpirun -n 4 x
refuses 1 'stencilmap: the line does not say how many nodes and tasks: -N4 -n32' plan -- srun ./x
refuses 1 'stencilmap: --nodes=2-4: say how many' plan -- srun -N2-4 -n32 ./x
refuses 1 'stencilmap: the line of srun says what the step is: leave out -N, -n, -m and the like' plan -N4 -- srun -N4
refuses 1 'stencilmap: the components of a heterogeneous step cannot be mapped together' plan -- srun -N1 a : -N2 b
refuses 1 'stencilmap: --distribution=arbitrary fixes the layout' plan -- srun -N4 -n4 -w 'n[1-4]' -m arbitrary x
refuses 1 'stencilmap: --cpus-per-node=8(x: ' plan --cpus-per-node='8(x' -- srun -N2 -n4 x
refuses 2 'stencilmap: only plan takes a line of srun behind --' show -- srun -N4 -n4
# Inside of a job its variables are enough.
(
    export SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-4]' SLURM_JOB_CPUS_PER_NODE='8(x4)' SLURM_NTASKS=32 SLURM_NNODES=4
    STENCILMAP_OPTIONS=--stencil-map=kdtree run 0 plan --stencil-dims=4x8 && grep -q '^kdtree  *24 ' "$dir/out" &&
        grep -q '^placement: launch' "$dir/out" && run 0 plan -- srun -N2 -n16 x &&
        grep -q "^placement: comm: the step takes 2 of the job's 4 nodes" "$dir/out" &&
        run 0 plan -N2 -n8 && ! grep -q placement "$dir/out"
)
result 'plan inside of a job'
cat >"$dir/job.sh" <<'SCRIPT'
#!/bin/bash
#SBATCH -N 4 --ntasks-per-node=8   # four nodes
#SBATCH --job-name="srun me" -W
#SBATCH --stencil-dims=8x4
module load srun
DIMS=4x8; export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
#SBATCH -N 2
# srun not this
srun -n $SLURM_NTASKS --stencil-map \
     --stencil-dims=${DIMS:-2x16} ./heat "$(date; echo x)" > out &
if time srun -N 2 -n 16 --stencil-map=kdtree --stencil-dims='4x4' ./small; then echo "srun -n 5"; fi
srun -m plane=2 --stencil-map=strips ./x
SCRIPT
run 0 plan --script="$dir/job.sh" && [ "$(grep -c '^placement: launch' "$dir/out")" -eq 2 ] && grep -q "job.sh:9: srun -n 32 --stencil-map" "$dir/out" &&
    grep -q 'job.sh:11: srun -N 2 -n 16' "$dir/out" && grep -q 'job.sh:12: srun -m plane=2' "$dir/out" &&
    grep -q '^best  *24 ' "$dir/out" && grep -q '^grid 8x4: ' "$dir/out" && [ ! -s "$dir/err" ] &&
    awk 'length > 80 && !/^algorithm|job.sh/ { exit 1 }' "$dir/out"
result 'plan --script'
sed -i 's/4x4/4x5/; s/plane=2/arbitrary/' "$dir/job.sh"
run 1 plan --script="$dir/job.sh" && [ "$(cat "$dir/err")" = \
    "stencilmap: $dir/job.sh:11: --stencil-dims=4x5: product 20 is not the number of tasks 16
stencilmap: $dir/job.sh:12: --distribution=arbitrary fixes the layout" ] && grep -q '^best  *24 ' "$dir/out"
result 'plan --script with lines that are refused'
refuses 3 'stencilmap: --script=/none: No such file or directory' plan --script=/none
refuses 1 'stencilmap: --script=/dev/null: no line of srun' plan --script=/dev/null

# What srun would do: an order alone deals ranks to nodes; a mapping that gains nothing leaves the
# layout alone. Every format says the same.
gives "$(printf '%s\n' a b a b)" show -N 2 -n 4 --rank-order=node,core -w a,b --format=hostfile
gives "$(printf '%s\n' 0 1 0 1)" show -N 2 -n 4 --rank-order=node,core --format=nodes
begins "$(printf '%s\n' ' 0 1' ' 0 1' 'by the order, nn on grid 2x2 assumed over 2 nodes: ')" \
    show -N 2 -n 4 --rank-order=node,core
refuses 1 'stencilmap: --rank-order=core,node,socket: with node between other levels' show -N 2 -n 4 \
    --rank-order=core,node,socket
for format in nodes hostfile csv; do
    run 0 show -N 2 -n 8 --stencil-dims=8 --stencil=1 --stencil-map=random -w 0,1 --format=$format &&
        one_line "$dir/err" 'stencilmap: --stencil-map=random gains nothing, this is Slurm' &&
        [ "$(sed 's/^[0-9]*,[0-9]*,\([0-9]*\),.*/\1/; /^cell/d' "$dir/out" | tr '\n' ' ')" = \
            '0 0 0 0 1 1 1 1 ' ]
    result "show --format=$format where nothing is gained"
done
begins "$(printf '%s\n' ' 0 0 0 0 1 1 1 1' 'random, 1 on 8 over 2 nodes: J_sum 1 -> ')" \
    show -N 2 -n 8 --stencil-dims=8 --stencil=1 --stencil-map=random
for value in 1025,1024 65535,65535 2,4294967296; do
    refuses 1 "stencilmap: --rank-hierarchy=$value: more than 1048576 cores" cores -n 2 \
        --rank-hierarchy=$value
done
for value in '' x 0 0-0 0-1-2-3 0- 99999999999999999999-0; do
    refuses 1 "stencilmap: --rank-order=$value: " cores --rank-hierarchy=2,4 --rank-order="$value"
done
for value in '' 0 x 4x -1 4294967296; do
    refuses 1 "stencilmap: --ntasks=$value: $bad_number" cores --rank-hierarchy=2,4 \
        --ntasks="$value"
done
refuses 1 'stencilmap: --ntasks=9: 9 tasks, but only 8 cores here (2 4)' cores --rank-hierarchy=2,4 -n 9
refuses 1 'stencilmap: --ntasks=4294967295: 4294967295 tasks, but only 8 cores here (2 4)' cores --rank-hierarchy=2,4 \
    -n 4294967295
for value in '' "$dir/none.xml" /dev/null "$dir"; do
    timeout 60 "$tool" cores --topology="$value" >"$dir/out" 2>"$dir/err"
    code=$?
    { [ $code -eq 1 ] || [ $code -eq 3 ]; } && [ ! -s "$dir/out" ] &&
        [ "$(wc -l <"$dir/err")" -eq 1 ] && grep -q '^stencilmap: ' "$dir/err"
    result "a topology that cannot be read: '$(basename "$value")'"
done
# Files that hwloc refuses, with its own words, and files that it crashes on.
broken() { # SED-SCRIPT WORDS: what is refused so
    sed "$1" "$good" >"$dir/broken.xml"
    timeout 60 "$tool" topo --topology="$dir/broken.xml" >"$dir/out" 2>"$dir/err"
    code=$?
    { [ $code -eq 1 ] || [ $code -eq 3 ]; } && [ ! -s "$dir/out" ] &&
        [ "$(wc -l <"$dir/err")" -eq 1 ] &&
        grep -q "^stencilmap: --topology=$dir/broken.xml: $2" "$dir/err" &&
        grep -q '; lstopo --of xml of hwloc [0-9.a-z]* writes such files$' "$dir/err"
    result "a topology that is refused: $1"
}
broken 's/topology version="2.0"/topology version="9.0"/' 'cannot import XML version 9.0 > '
broken '5,$d' 'line [0-9]*: parser error : '
broken 's/type="Core"/type="Apple"/' 'unrecognized object type string Apple'
broken 's/ complete_cpuset="[^"]*"//' ''
run 0 cores --rank-hierarchy=1000,1000 && [ "$(wc -l <"$dir/out")" -eq 1000002 ]
result 'a million cores as a table'

# --- JSON and XML for other programs
if command -v python3 >/dev/null; then
    json() { timeout 60 "$tool" "$@" --format=json | python3 -c "
import json, sys
rows = json.load(sys.stdin)
assert isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)
$check"; }
    check='assert [r["jsum"] for r in rows if r["algorithm"] == "hyperplane"] == [1328]
assert all(set(r) == set("'$header'".split(",")) for r in rows)
assert all(isinstance(r["seconds"], float) for r in rows)'
    json plan -N 50 -n 2400
    result 'plan --format=json'
    check='assert [r["node"] for r in rows] == [0, 0, 1, 1] and rows[3]["coords"] == "1,1"'
    json show -N 2 -n 4 --stencil-map=blocked
    result 'show --format=json'
    check='assert [r["coords"] for r in rows] == ["0", "1", "2"]' # text in 1-D too
    json show -N 1 -n 3 --stencil-dims=3
    result 'show --format=json in 1-D'
    check='assert [r["core"] for r in rows] == [0, 4, 1, 5, 2, 6, 3, 7]
assert all(isinstance(r["cpus"], str) for r in rows)'
    json cores --rank-hierarchy=2,4 --rank-order=0-1
    result 'cores --format=json'
else
    skip '--format=json' 'no python3'
fi
if command -v python3 >/dev/null; then
    for dims in 8 2x4 2x2x2 4x2,column; do
        timeout 60 "$tool" show -N 2 -n 8 --stencil-dims=$dims --stencil-map=blocked --format=svg \
            >"$dir/out.svg" && python3 - "$dir/out.svg" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
name = "{http://www.w3.org/2000/svg}"
assert root.tag == name + "svg"
cells = [r for r in root.iter(name + "rect") if r.get("x")]
assert len(cells) == 8 and len({r.get("fill") for r in cells}) == 2
labels = [t.text for t in root.iter(name + "text")]
assert "J_sum" in labels[0] and sorted(labels[1:]) == ["0"] * 4 + ["1"] * 4
width, height = float(root.get("width")), float(root.get("height"))
for r in cells:
    assert float(r.get("x")) + float(r.get("width")) <= width
    assert float(r.get("y")) + float(r.get("height")) <= height
PYTHON
        result "show --format=svg of $dims"
    done
else
    skip 'show --format=svg' 'no python3'
fi

# --- the system says no
if [ -c /dev/full ]; then
    timeout 60 "$tool" dims 72 2 >/dev/full 2>"$dir/err"
    [ $? -eq 3 ] && grep -q '^stencilmap: standard output' "$dir/err"
    result 'exit 3: no space for a short output'
    timeout 60 "$tool" show -N 100 -n 10000 --format=nodes >/dev/full 2>"$dir/err"
    [ $? -eq 3 ]
    result 'exit 3: no space for a long output'
else
    skip 'exit 3' 'no /dev/full'
fi

echo "1..$count"
[ $failed -eq 0 ]
