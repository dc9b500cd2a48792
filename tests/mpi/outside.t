#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# outside.t BUILD MPI CC [FC]: installs the build into a folder of its own and builds programs against
# it, as somebody else would: by pkg-config and by CMake's find_package. CC and FC are the wrappers.
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/cluster/tap.sh
. "$root/tests/cluster/tap.sh"
build=$1 mpi=$2 cc=$3 fc=${4-}
outside=$root/tests/mpi/outside
for program in cmake pkg-config; do
    command -v "$program" >/dev/null || { echo "1..0 # SKIP no $program"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$mpi" = mpi ] && suffix="" || suffix=-$mpi
mpirun=${cc/mpicc/mpirun}

# Moved after it was installed: nothing may depend on where that was.
DESTDIR=$work/stage cmake --install "$build" >"$work/log" 2>&1
ok $? "installed"
prefix=$(sed -n 's/^CMAKE_INSTALL_PREFIX:PATH=//p' "$build/CMakeCache.txt")
mv "$work/stage$prefix" "$work/tree"
PKG_CONFIG_PATH=$(dirname "$(find "$work/tree" -name "stencilmap_mpi$suffix.pc")")
export PKG_CONFIG_PATH

runs() { # PROGRAM NAME
    like "$("$mpirun" -n 2 "$work/$1" 2>&1)" '^ring of 2: right' "$2"
}
compile() { # PROGRAM NAME COMPILER ARG...: builds and runs it
    local program=$1 name=$2
    shift 2
    if (cd "$work" && "$@" -o "$program") >"$work/log" 2>&1; then
        runs "$program" "$name"
    else
        ok 1 "$name"
        sed 's/^/# /' "$work/log"
    fi
}

read -ra flags < <(pkg-config --cflags --libs "stencilmap_mpi$suffix")
compile ring "C, pkg-config" "$cc" "$outside/ring.c" "${flags[@]}"
compile ring-static "C, the static library" "$cc" "$outside/ring.c" "-I$work/tree/include" \
    "$(pkg-config --variable=libdir "stencilmap_mpi$suffix")/libstencilmap_mpi.a" -lm
if [ -n "$fc" ]; then
    # The modules of another compiler are built from the installed sources.
    sources=$work/tree/share/stencilmap/fortran
    compile ring_sources "Fortran, from the sources" "$fc" "$sources/stencilmap.f90" "$sources/stencilmap_f08.f90" \
        "$outside/ring_f08.f90" "${flags[@]}"
    rm -f "$work"/*.mod
    read -ra flags < <(pkg-config --cflags --libs "stencilmap_mpifort$suffix")
    for flavour in mpi f08; do
        compile ring_$flavour "Fortran, $flavour, pkg-config" "$fc" "$outside/ring_$flavour.f90" "${flags[@]}"
    done
fi

cmake -S "$outside" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/tree" -DFORTRAN="${fc:+ON}" -DMPI_C_COMPILER="$cc" \
    ${fc:+-DMPI_Fortran_COMPILER="$fc"} >"$work/log" 2>&1 && cmake --build "$work/cmake" >>"$work/log" 2>&1
ok $? "a CMake project" || sed 's/^/# /' "$work/log"
runs cmake/ring "C, find_package"
[ -z "$fc" ] || for flavour in mpi f08; do runs cmake/ring_$flavour "Fortran, $flavour, find_package"; done
like "$(readelf -d "$work/cmake/ring")" "NEEDED.*libstencilmap_mpi.so" "the library is the shared one"
out=$(cmake -S "$outside" -B "$work/none" -DCMAKE_PREFIX_PATH="$work/tree" -DFORTRAN=OFF -DMPI_C_COMPILER="$cc" \
    -Dstencilmap_mpi_MPI=other 2>&1 | tr -s ' \n' ' ')
like "$out" "there is no stencilmap_mpi for other, only for:" "an MPI that is not there"
plan
