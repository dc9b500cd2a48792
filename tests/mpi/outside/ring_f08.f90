! SPDX-License-Identifier: BSD-3-Clause
! ring.c once more.
program ring
  use mpi_f08
  use stencilmap_f08
  implicit none
  integer :: p, below, above, from, rank
  type(MPI_Comm) :: cart

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, p)
  call stencilmap_cart_create(MPI_COMM_WORLD, 1, [p], [.true.], .true., cart)
  call MPI_Comm_rank(cart, rank)
  call MPI_Cart_shift(cart, 0, 1, below, above)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, above, 0, from, 1, MPI_INTEGER, below, 0, cart, &
                    MPI_STATUS_IGNORE)
  if (rank == 0) print '(a, i0, 2a)', 'ring of ', p, ': ', merge('right', 'wrong', from == below)
  call MPI_Comm_free(cart)
  call MPI_Finalize()
end program
