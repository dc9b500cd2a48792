! SPDX-License-Identifier: BSD-3-Clause
!
! The interface for programs that include mpif.h: external procedures, without a module. The compiler
! that builds this file gives them the names that its own programs ask for. What they do:
! stencilmap_mpi(3).

subroutine stencilmap_cart_create(comm, ndims, dims, periods, reorder, cart, ierror)
  use stencilmap, only: create => stencilmap_cart_create
  implicit none
  integer, intent(in) :: comm, ndims, dims(*)
  logical, intent(in) :: periods(*), reorder
  integer, intent(out) :: cart, ierror

  call create(comm, ndims, dims, periods, reorder, cart, ierror)
end subroutine

subroutine mpix_cart_stencil_comm(comm, ndims, dims, periods, reorder, stencil, k, cart, ierror)
  use stencilmap, only: create => mpix_cart_stencil_comm
  implicit none
  integer, intent(in) :: comm, ndims, dims(*), stencil(*), k
  logical, intent(in) :: periods(*), reorder
  integer, intent(out) :: cart, ierror

  call create(comm, ndims, dims, periods, reorder, stencil, k, cart, ierror)
end subroutine
