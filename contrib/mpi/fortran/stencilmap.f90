! SPDX-License-Identifier: BSD-3-Clause
!
! use stencilmap: the interface for programs that say `use mpi`. Handles are integers, ierror is the
! last argument, as in MPI's own module. What the procedures do: stencilmap_mpi(3).
!
! A list of offsets is flat or offsets(ndims, k): one offset is one column.

! How C sees it: contrib/mpi/fortran/glue.h.
module stencilmap_glue
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  public

  interface
    function glue_cart_create(comm, ndims, dims, periods, reorder, cart) result(code) &
        bind(C, name='stencilmap_f_cart_create')
      import :: c_int
      integer(c_int), value :: comm, ndims, reorder
      integer(c_int), intent(in) :: dims(*), periods(*)
      integer(c_int), intent(out) :: cart
      integer(c_int) :: code
    end function

    function glue_cart_stencil_comm(comm, ndims, dims, periods, reorder, stencil, k, cart) &
        result(code) bind(C, name='stencilmap_f_cart_stencil_comm')
      import :: c_int
      integer(c_int), value :: comm, ndims, reorder, k
      integer(c_int), intent(in) :: dims(*), periods(*), stencil(*)
      integer(c_int), intent(out) :: cart
      integer(c_int) :: code
    end function
  end interface

contains

  ! A logical as C writes it.
  elemental integer(c_int) function as_int(yes)
    logical, intent(in) :: yes
    as_int = merge(1_c_int, 0_c_int, yes)
  end function
end module

module stencilmap
  use stencilmap_glue
  implicit none
  private
  public :: stencilmap_cart_create, mpix_cart_stencil_comm

contains

  subroutine stencilmap_cart_create(comm, ndims, dims, periods, reorder, cart, ierror)
    integer, intent(in) :: comm, ndims, dims(ndims)
    logical, intent(in) :: periods(ndims), reorder
    integer, intent(out) :: cart, ierror

    ierror = glue_cart_create(comm, ndims, dims, as_int(periods), as_int(reorder), cart)
  end subroutine

  subroutine mpix_cart_stencil_comm(comm, ndims, dims, periods, reorder, stencil, k, cart, ierror)
    integer, intent(in) :: comm, ndims, dims(ndims), stencil(*), k
    logical, intent(in) :: periods(ndims), reorder
    integer, intent(out) :: cart, ierror

    ierror = glue_cart_stencil_comm(comm, ndims, dims, as_int(periods), as_int(reorder), &
                                    stencil, k, cart)
  end subroutine
end module
