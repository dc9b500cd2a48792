#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The man pages name every option, setting, function and hint that there is, and no other; and they
# are clean roff. Only the sources are needed.
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/cluster/tap.sh
. "$root/tests/cluster/tap.sh"
doc=$root/doc
LC_ALL=C
export LC_ALL

skip() { # NAME REASON
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# Long options that head a list item of a page.
documented() { # PAGE
    sed -n '/^\.It /{s/.*Fl Fl \([a-z-]*\).*/\1/p}' "$doc/$1" | sort -u
}
# The word behind .It Cm, or .It Ev.
items() { # PAGE MACRO
    sed -n "s/^\.It $2 \([A-Za-z_-]*\).*/\1/p" "$doc/$1" | sort -u
}
plugin_options=$(sed -n 's/^ *\.name = "\([a-z-]*\)",$/\1/p' "$root/plugin/options.def" | sort -u)
request_options=$(sed -n 's/^ *{"\([a-z-]*\)", offsetof(struct smap_request, .*/\1/p' "$root/core/plan/problem.c")
tool_options=$(sed -n 's/^ *{"\([a-z-]*\)", [^,]*, AT(.*/\1/p' "$root/core/tool/options.c")

nonempty "$plugin_options" 8 "the plugin's table of options"
nonempty "$request_options" 8 "the options that fill a request"
nonempty "$tool_options" 12 "the tool's own options"
is "$(documented spank_stencilmap.8)" "$plugin_options" "spank_stencilmap(8) has the plugin's options"
is "$(documented stencilmap.1)" "$(printf '%s\n' "$request_options" "$tool_options" | sort)" "stencilmap(1) has the tool's options"
for option in $plugin_options; do
    like "$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "$doc/spank_stencilmap.8")" \
        "Fl Fl $option( |\$)" "--$option is in the synopsis"
done

# Commands of the tool; "help" is none of the table.
commands=$(grep -o '{"[a-z]*", command_' "$root/core/tool/main.c" | cut -d'"' -f2 | sort)
nonempty "$commands" 6 "the tool's commands"
is "$(sed -n '/^\.Sh COMMANDS/,/^\.Sh OPTIONS/s/^\.It Cm \([a-z]*\).*/\1/p' "$doc/stencilmap.1" |
    grep -vx help | sort)" "$commands" "stencilmap(1) has the tool's commands"

# Keys: the page of the plugin has the options, that of the settings what read_setting knows.
settings=$(sed -n '/^static const struct setting {/,/^};/p' "$root/plugin/settings.c" |
    grep -o '{"[a-z-]*"' | tr -d '{"')
nonempty "$settings" 4 "the settings that are no options"
is "$(items stencilmap.conf.5 Cm)" "$(sort -u <<<"$settings")" "stencilmap.conf(5) has the settings"
sample=$(sed -n 's/^# \([a-z-]*\) = .*/\1/p' "$root/etc/stencilmap.conf" | sort -u)
nonempty "$sample" 4 "the keys of the sample file"
is "$(comm -13 <(printf '%s\n' "$plugin_options" "$settings" | sort -u) <(echo "$sample"))" "" \
    "the sample file has no others"

# Hints, and the launcher daemons that are left alone.
hints=$(sed 's/[,{]/\n/g' "$root/plugin/stepd/hints.c" | sed -n 's/.*"\(STENCILMAP_[A-Z_]*\)".*/\1/p' | sort -u)
nonempty "$hints" 10 "the hints"
is "$(items spank_stencilmap.8 Ev | grep -v OPTIONS)" "$hints" "spank_stencilmap(8) has the hints"
page=$(<"$doc/spank_stencilmap.8")
daemons=$(sed -n '/static const char \*const daemons/,/};/p' "$root/plugin/srun/daemons.c" |
    grep -o '"[a-z_]*"' | tr -d '"')
nonempty "$daemons" 7 "the launcher daemons"
for daemon in $daemons; do
    like "$page" "(^| )$daemon( |\$)" "spank_stencilmap(8) has $daemon"
done
layout=$(sed -n '/^static const char \*const [a-z]*_options\[\]/,/};/p' "$root/core/step/predict.c" |
    grep -o '"[a-z-]*"' | tr -d '"')
nonempty "$layout" 3 "the options that fix the layout"
for option in $layout; do
    like "$page" "Fl Fl $option( |\$)" "spank_stencilmap(8) has --$option, which matters to launch"
done

# Names of algorithms and stencils, as list items or within a text. An algorithm that must have a
# parameter is for the hand-over alone.
algorithms=$(find "$root/core" -name '*.c' -exec awk -F'"' \
    '/^const struct smap_algorithm / {name = ""} /^    \.name = / {name = $2}
     /SMAP_PARAMETER_REQUIRED,$/ {name = ""} /^};/ {if (name) print name; name = ""}' {} + | sort)
nonempty "$algorithms" 10 "the algorithms"
like "$algorithms" '^hyperplane-thesis$' "an algorithm of two words is among them"
stencils=$(sed -n '/} named\[\] = {/,/^};/s/^    {"\([a-z0-9-]*\)".*/\1/p' "$root/core/grid/stencil.c")
nonempty "$stencils" 10 "the stencils"
for name in $algorithms $stencils; do
    like "$page" "^\.(It )?Cm (.* )?$name( |\$)" "spank_stencilmap(8) has $name"
done

functions=$(grep -o 'STENCILMAP_MPI_API int [A-Za-z_]*' "$root/contrib/mpi/stencilmap_mpi.h" |
    sed 's/.* //' | sort)
nonempty "$functions" 2 "the functions of the MPI helper"
is "$(sed -n 's/^\.Fo \(.*\)/\1/p' "$doc/stencilmap_mpi.3" | sort)" "$functions" \
    "stencilmap_mpi(3) has the functions"

# The Fortran interfaces have all of them, and the page shows each.
lower=$(tr '[:upper:]' '[:lower:]' <<<"$functions")
for file in stencilmap stencilmap_f08 stencilmap_mpif; do
    is "$(sed -n 's/^ *subroutine \([a-z_]*\)(.*/\1/p' "$root/contrib/mpi/fortran/$file.f90" | sort)" \
        "$(sort <<<"$lower")" "$file.f90 has the functions"
done
for file in stencilmap stencilmap_f08; do
    is "$(sed -n '/^  public ::/,/[^&]$/p' "$root/contrib/mpi/fortran/$file.f90" |
        grep -o '[a-z]*_[a-z_]*' | sort)" "$(sort <<<"$lower")" "$file.f90 makes them public"
done
is "$(sed -n '/^\.Ss Fortran/,/^\.Sh DESCRIPTION/s/^call \([a-z_]*\)(.*/\1/p' "$doc/stencilmap_mpi.3" | sort)" \
    "$(sort <<<"$lower")" "stencilmap_mpi(3) has them in Fortran"

bench_options=$(sed -n 's/^ *{"\([a-z-]*\)", [a-z]*_argument.*/\1/p' "$root/contrib/mpi/bench/options.c" | sort)
nonempty "$bench_options" 18 "the bench's options"
is "$(documented stencilmap-bench.1)" "$bench_options" "stencilmap-bench(1) has the bench's options"
for option in $bench_options; do
    like "$(<"$root/contrib/mpi/bench/usage.c")" "--$option[=\[ ,\\]" "--$option is in the bench's --help"
done
columns=$(sed -n '/const bench_[a-z]*_columns/,/};/p' "$root"/contrib/mpi/bench/{rows,collectives}.c | grep -o '"[a-z_]*"' |
    tr -d '"' | sort -u)
nonempty "$columns" 25 "the bench's columns"
for column in $columns; do
    like "$(sed -n '/^\.Ss Columns/,/^\.Sh/p' "$doc/stencilmap-bench.1")" "(^\.Va |, |; )?$column( |\$|,)" "stencilmap-bench(1) has $column"
done

# What HACKING.md sends people to is there; snake and NN are its examples.
paths=$(grep -o '`[a-z_]*/[A-Za-z0-9_/.-]*`' "$doc/HACKING.md" | tr -d '`' | grep -v 'snake\|NN-' | sort -u)
nonempty "$paths" 30 "the files that HACKING.md names"
is "$(cd "$root" && for path in $paths; do [ -e "$path" ] || [ -e "core/$path" ] || echo "$path"; done)" "" \
    "all files that HACKING.md names are there"

# Roff. References to pages of other packages need these to be installed.
pages=$(ls "$doc"/*.[1-9])
nonempty "$pages" 4 "the pages"
for page in $pages; do
    name=$(basename "$page")
    if command -v mandoc >/dev/null; then
        is "$(mandoc -T lint "$page" 2>/dev/null | grep -v 'referenced manual not found')" "" \
            "$name: mandoc"
    else
        skip "$name: mandoc" "no mandoc"
    fi
    if groff -mdoc -Tutf8 /dev/null >/dev/null 2>&1; then
        is "$(groff -mdoc -Tutf8 -wall -z "$page" 2>&1)" "" "$name: groff"
    else
        skip "$name: groff" "no groff with mdoc"
    fi
    unlike "$(<"$page")" '[[:space:]]$' "$name: no blanks at ends of lines"
done
plan
