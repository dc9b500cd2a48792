! SPDX-License-Identifier: BSD-3-Clause
!
! The interface for programs that include mpif.h: external procedures, without a module. Whichever
! compiler builds this file gives them the names that its own programs ask for. What they do:
! stencilmap_mpi(3).

subroutine stencilmap_cart_create(comm, ndims, dims, periods, reorder, cart, ierror)
  use stencilmap, only: module_procedure => stencilmap_cart_create
  implicit none
  integer, intent(in) :: comm, ndims, dims(*)
  logical, intent(in) :: periods(*), reorder
  integer, intent(out) :: cart, ierror

  call module_procedure(comm, ndims, dims, periods, reorder, cart, ierror)
end subroutine

subroutine mpix_cart_stencil_comm(oldcomm, ndims, dims, periods, reorder, stencil, k, cartcomm, &
                                  ierror)
  use stencilmap, only: module_procedure => mpix_cart_stencil_comm
  implicit none
  integer, intent(in) :: oldcomm, ndims, dims(*), stencil(*), k
  logical, intent(in) :: periods(*), reorder
  integer, intent(out) :: cartcomm, ierror

  call module_procedure(oldcomm, ndims, dims, periods, reorder, stencil, k, cartcomm, ierror)
end subroutine

subroutine stencilmap_cart_stencil_create(comm, ndims, dims, periods, reorder, k, offsets, &
                                          weights, cart, ierror)
  use stencilmap, only: module_procedure => stencilmap_cart_stencil_create
  implicit none
  integer, intent(in) :: comm, ndims, dims(*), k, offsets(*), weights(*)
  logical, intent(in) :: periods(*), reorder
  integer, intent(out) :: cart, ierror

  call module_procedure(comm, ndims, dims, periods, reorder, k, offsets, weights, cart, ierror)
end subroutine

subroutine stencilmap_dist_graph_create_adjacent(comm, indegree, sources, sourceweights, &
                                                 outdegree, destinations, destweights, info, &
                                                 reorder, graph, ierror)
  use stencilmap, only: module_procedure => stencilmap_dist_graph_create_adjacent
  implicit none
  integer, intent(in) :: comm, indegree, sources(*), outdegree, destinations(*), info
  integer, intent(in) :: sourceweights(*), destweights(*)
  logical, intent(in) :: reorder
  integer, intent(out) :: graph, ierror

  call module_procedure(comm, indegree, sources, sourceweights, outdegree, destinations, &
                        destweights, info, reorder, graph, ierror)
end subroutine

subroutine stencilmap_dist_graph_create(comm, n, sources, degrees, destinations, weights, info, &
                                        reorder, graph, ierror)
  use stencilmap, only: module_procedure => stencilmap_dist_graph_create
  implicit none
  integer, intent(in) :: comm, n, sources(*), degrees(*), destinations(*), weights(*), info
  logical, intent(in) :: reorder
  integer, intent(out) :: graph, ierror

  call module_procedure(comm, n, sources, degrees, destinations, weights, info, reorder, graph, &
                        ierror)
end subroutine

subroutine stencilmap_get_gain(comm, gain, flag, ierror)
  use, intrinsic :: iso_fortran_env, only: int64
  use stencilmap, only: module_procedure => stencilmap_get_gain
  implicit none
  integer, intent(in) :: comm
  integer(int64), intent(inout) :: gain(4)
  logical, intent(out) :: flag
  integer, intent(out) :: ierror

  call module_procedure(comm, gain, flag, ierror)
end subroutine

subroutine stencilmap_get_hint(name, value, flag, ierror)
  use stencilmap, only: module_procedure => stencilmap_get_hint
  implicit none
  character(*), intent(in) :: name
  character(*), intent(inout) :: value
  logical, intent(out) :: flag
  integer, intent(out) :: ierror

  call module_procedure(name, value, flag, ierror)
end subroutine

subroutine stencilmap_dims_create(nprocs, ndims, dims, ierror)
  use stencilmap, only: module_procedure => stencilmap_dims_create
  implicit none
  integer, intent(in) :: nprocs, ndims
  integer, intent(inout) :: dims(*)
  integer, intent(out) :: ierror

  call module_procedure(nprocs, ndims, dims, ierror)
end subroutine

subroutine stencilmap_dims_create_stencil(comm, ndims, dims, periods, k, offsets, weights, ierror)
  use stencilmap, only: module_procedure => stencilmap_dims_create_stencil
  implicit none
  integer, intent(in) :: comm, ndims, k, offsets(*), weights(*)
  integer, intent(inout) :: dims(*)
  logical, intent(in) :: periods(*)
  integer, intent(out) :: ierror

  call module_procedure(comm, ndims, dims, periods, k, offsets, weights, ierror)
end subroutine

subroutine stencilmap_dims_create_lattice(nprocs, ndims, lattice, least_patch, dims, ierror)
  use stencilmap, only: module_procedure => stencilmap_dims_create_lattice
  implicit none
  integer, intent(in) :: nprocs, ndims, lattice(*), least_patch(*)
  integer, intent(inout) :: dims(*)
  integer, intent(out) :: ierror

  call module_procedure(nprocs, ndims, lattice, least_patch, dims, ierror)
end subroutine
