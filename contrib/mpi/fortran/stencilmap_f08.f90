! SPDX-License-Identifier: BSD-3-Clause
!
! use stencilmap_f08: the interface for programs that say `use mpi_f08`. Handles have types, ierror
! may be left out. What the procedures do: stencilmap_mpi(3).
module stencilmap_f08
  use mpi_f08, only: MPI_Comm
  use stencilmap_glue
  implicit none
  private
  public :: stencilmap_cart_create, mpix_cart_stencil_comm

contains

  subroutine stencilmap_cart_create(comm, ndims, dims, periods, reorder, cart, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: ndims, dims(ndims)
    logical, intent(in) :: periods(ndims), reorder
    type(MPI_Comm), intent(out) :: cart
    integer, optional, intent(out) :: ierror
    integer :: code

    code = glue_cart_create(comm%mpi_val, ndims, dims, as_int(periods), as_int(reorder), &
                            cart%mpi_val)
    if (present(ierror)) ierror = code
  end subroutine

  subroutine mpix_cart_stencil_comm(comm, ndims, dims, periods, reorder, stencil, k, cart, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: ndims, dims(ndims), stencil(*), k
    logical, intent(in) :: periods(ndims), reorder
    type(MPI_Comm), intent(out) :: cart
    integer, optional, intent(out) :: ierror
    integer :: code

    code = glue_cart_stencil_comm(comm%mpi_val, ndims, dims, as_int(periods), as_int(reorder), &
                                  stencil, k, cart%mpi_val)
    if (present(ierror)) ierror = code
  end subroutine
end module
