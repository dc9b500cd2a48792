! SPDX-License-Identifier: BSD-3-Clause
! ring.c once more.
program ring
  use mpi
  use stencilmap
  implicit none
  integer :: p, below, above, from, rank, cart, ierror

  call MPI_Init(ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierror)
  call stencilmap_cart_create(MPI_COMM_WORLD, 1, [p], [.true.], .true., cart, ierror)
  call MPI_Comm_rank(cart, rank, ierror)
  call MPI_Cart_shift(cart, 0, 1, below, above, ierror)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, above, 0, from, 1, MPI_INTEGER, below, 0, cart, &
                    MPI_STATUS_IGNORE, ierror)
  if (rank == 0) print '(a, i0, 2a)', 'ring of ', p, ': ', merge('right', 'wrong', from == below)
  call MPI_Comm_free(cart, ierror)
  call MPI_Finalize(ierror)
end program
