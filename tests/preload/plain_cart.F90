! SPDX-License-Identifier: BSD-3-Clause
! plain_cart.c's little sister, in the Fortran flavour that the compiler is told: MPIFH, USEMPI or
! F08. A 4x8 grid and its neighbours.
program plain_cart
#ifdef F08
  use mpi_f08
#endif
#ifdef USEMPI
  use mpi
#endif
  implicit none
#ifdef MPIFH
  include 'mpif.h'
#endif
#ifdef F08
  type(MPI_Comm) :: cart
  type(MPI_Request) :: request, other
#else
  integer :: cart, request, other
#endif
  integer :: dims(2) = (/ 4, 8 /), coords(2)
  logical :: periods(2) = (/ .false., .false. /)
  integer :: rank, again, length, ierror
  character(len=MPI_MAX_PROCESSOR_NAME) :: host

  call MPI_Init(ierror)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., cart, ierror)
  call MPI_Comm_rank(cart, rank, ierror)
  call MPI_Cart_coords(cart, rank, 2, coords, ierror)
  call MPI_Cart_rank(cart, coords, again, ierror)
  call MPI_Get_processor_name(host, length, ierror)
  if (again /= rank) print '(a, i0)', 'wrong coordinates at ', rank
  print '(a, i0, a, a)', 'cell ', rank, ' ', host(1:length)
  ! Three messages around, for who counts them.
  call MPI_Sendrecv(dims, 2, MPI_INTEGER, mod(rank + 1, 32), 0, coords, 2, MPI_INTEGER, &
                    mod(rank + 31, 32), 0, cart, MPI_STATUS_IGNORE, ierror)
  call MPI_Irecv(coords, 2, MPI_INTEGER, mod(rank + 31, 32), 0, cart, request, ierror)
  call MPI_Send(dims, 1, MPI_INTEGER, mod(rank + 1, 32), 0, cart, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Irecv(coords, 2, MPI_INTEGER, mod(rank + 31, 32), 0, cart, request, ierror)
  call MPI_Isend(dims, 1, MPI_INTEGER, mod(rank + 1, 32), 0, cart, other, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Wait(other, MPI_STATUS_IGNORE, ierror)
  call MPI_Comm_free(cart, ierror)
  call MPI_Finalize(ierror)
end program
