# SPDX-License-Identifier: BSD-3-Clause
# Finds what is there and says plainly what is missing and what is then left out.

find_package(PkgConfig REQUIRED)
set(STENCILMAP_LEFT_OUT "")

macro(left_out what why)
  list(APPEND STENCILMAP_LEFT_OUT "${what}: ${why}")
endmacro()

# The core reads topologies, so hwloc is the one library that nothing goes without.
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc>=2.1)

pkg_check_modules(INIH IMPORTED_TARGET inih)

# A SPANK plugin resolves its symbols in the Slurm program that loads it: headers are enough.
find_path(SLURM_INCLUDE_DIR slurm/spank.h HINTS ENV SLURM_ROOT PATH_SUFFIXES include)
set(SLURM_FOUND FALSE)
if(SLURM_INCLUDE_DIR)
  set(SLURM_FOUND TRUE)
  file(STRINGS ${SLURM_INCLUDE_DIR}/slurm/slurm_version.h SLURM_VERSION_LINE
       REGEX "define SLURM_VERSION_NUMBER ")
  string(REGEX MATCH "0x[0-9a-fA-F]+" SLURM_VERSION_NUMBER "${SLURM_VERSION_LINE}")
else()
  left_out("spank_stencilmap.so" "slurm/spank.h not found (Debian: libslurm-dev)")
endif()

if(NOT INIH_FOUND)
  left_out("spank_stencilmap.so" "inih not found (Debian: libinih-dev)")
endif()

pkg_check_modules(PMIX IMPORTED_TARGET pmix)
if(SLURM_FOUND AND NOT PMIX_FOUND)
  left_out("PMIx keys of the plugin" "pmix not found (Debian: libpmix-dev)")
endif()

pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
  left_out("tests" "cmocka not found (Debian: libcmocka-dev)")
endif()

# Several MPIs may be installed side by side; each has its compiler wrappers. The helper and the
# bench are built once per C wrapper, the Fortran interface where there is one for Fortran too.
foreach(mpi openmpi mpich)
  string(TOUPPER ${mpi} MPI)
  find_program(${MPI}_CC mpicc.${mpi})
  find_program(${MPI}_FC NAMES mpifort.${mpi} mpif90.${mpi})
  if(${MPI}_CC)
    list(APPEND STENCILMAP_MPIS ${mpi})
  endif()
endforeach()
if(NOT STENCILMAP_MPIS)
  find_program(MPI_CC mpicc)
  find_program(MPI_FC NAMES mpifort mpif90)
  if(MPI_CC)
    set(STENCILMAP_MPIS mpi)
  else()
    left_out("libstencilmap_mpi, stencilmap-bench"
             "no MPI compiler wrapper found (Debian: libopenmpi-dev or libmpich-dev)")
  endif()
endif()

# The sanitizers of two compilers do not go together.
set(STENCILMAP_HAVE_FORTRAN FALSE)
if(STENCILMAP_MPIS AND STENCILMAP_FORTRAN)
  include(CheckLanguage)
  check_language(Fortran)
  if(NOT CMAKE_Fortran_COMPILER)
    left_out("Fortran interface of libstencilmap_mpi" "no Fortran compiler found (Debian: gfortran)")
  elseif(STENCILMAP_SANITIZE AND NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
    left_out("Fortran interface of libstencilmap_mpi" "STENCILMAP_SANITIZE with another C compiler than gcc")
  else()
    enable_language(Fortran)
    set(STENCILMAP_HAVE_FORTRAN TRUE)
  endif()
endif()

foreach(line IN LISTS STENCILMAP_LEFT_OUT)
  message(WARNING "left out: ${line}")
endforeach()
