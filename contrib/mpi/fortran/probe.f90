! SPDX-License-Identifier: BSD-3-Clause
! Can this compiler read the modules of this MPI?
program probe
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm
  comm = MPI_COMM_WORLD
  call MPI_Init()
  call MPI_Barrier(comm)
  call MPI_Finalize()
end program
