! SPDX-License-Identifier: BSD-3-Clause
!
! The dims functions by the Fortran interface: the same text compiled three times, as check_random.F90.
#if defined(FLAVOUR_F08)
#define LAST
#else
#define LAST , ierror
#endif
program check_dims
#if defined(FLAVOUR_F08)
  use mpi_f08
  use stencilmap_f08
#elif defined(FLAVOUR_MPI)
  use mpi
  use stencilmap
#endif
  implicit none
#if defined(FLAVOUR_MPIF)
  include 'mpif.h'
  external :: stencilmap_dims_create, stencilmap_dims_create_stencil, &
              stencilmap_dims_create_lattice
#endif
  integer, parameter :: nn(2, 4) = reshape([1, 0, -1, 0, 0, 1, 0, -1], [2, 4])
  integer :: dims(4), p, me, failures, ierror

  call MPI_Init(ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  failures = 0
  ierror = MPI_SUCCESS

  dims(1:3) = [0, 7, 0]
  call stencilmap_dims_create(84, 3, dims LAST)
  call check(all(dims(1:3) == [4, 7, 3]), 'balanced')

  dims = 0
  call stencilmap_dims_create_lattice(54, 4, [18, 18, 18, 36], [4, 4, 4, 4], dims LAST)
  call check(all(dims == [3, 3, 2, 3]), 'lattice')

  dims = 0
  call stencilmap_dims_create_stencil(MPI_COMM_WORLD, 2, dims, [.true., .false.], 4, nn, &
                                      MPI_UNWEIGHTED LAST)
  call check(product(dims(1:2)) == p .and. dims(1) >= 1, 'stencil')

  ! One cut costs as much as all others together, so there is none.
  dims = 0
  call stencilmap_dims_create_stencil(MPI_COMM_WORLD, 2, dims, [.false., .false.], 4, nn, &
                                      [1000, 1000, 1, 1] LAST)
  call check(all(dims(1:2) == [1, p]), 'weights')

  if (me == 0) print '(i0, a)', failures, ' failures'
  call MPI_Finalize(ierror)
  if (failures > 0) stop 1

contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what

    if (good .and. ierror == MPI_SUCCESS) return
    failures = failures + 1
    print '(a, a, 4(1x, i0))', 'FAIL ', what, dims
  end subroutine
end program
