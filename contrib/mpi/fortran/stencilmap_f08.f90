! SPDX-License-Identifier: BSD-3-Clause
!
! use stencilmap_f08: the interface for programs that say `use mpi_f08`. Handles have types, ierror
! may be left out. What the procedures do: stencilmap_mpi(3).
module stencilmap_f08
  use mpi_f08, only: MPI_Comm, MPI_Info, MPI_UNWEIGHTED
  use stencilmap_glue
  implicit none
  private
  public :: stencilmap_cart_create, mpix_cart_stencil_comm, stencilmap_cart_stencil_create, &
            stencilmap_dist_graph_create_adjacent, stencilmap_dist_graph_create, &
            stencilmap_get_gain, stencilmap_get_hint, stencilmap_dims_create, &
            stencilmap_dims_create_stencil, stencilmap_dims_create_lattice

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

  subroutine mpix_cart_stencil_comm(oldcomm, ndims, dims, periods, reorder, stencil, k, cartcomm, &
                                    ierror)
    type(MPI_Comm), intent(in) :: oldcomm
    integer, intent(in) :: ndims, dims(ndims), stencil(*), k
    logical, intent(in) :: periods(ndims), reorder
    type(MPI_Comm), intent(out) :: cartcomm
    integer, optional, intent(out) :: ierror
    integer :: code

    code = glue_cart_stencil_comm(oldcomm%mpi_val, ndims, dims, as_int(periods), as_int(reorder), &
                                  stencil, k, cartcomm%mpi_val)
    if (present(ierror)) ierror = code
  end subroutine

  subroutine stencilmap_cart_stencil_create(comm, ndims, dims, periods, reorder, k, offsets, &
                                            weights, cart, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: ndims, dims(ndims), k, offsets(*)
    logical, intent(in) :: periods(ndims), reorder
    integer, intent(in), target, contiguous :: weights(..)
    type(MPI_Comm), intent(out) :: cart
    integer, optional, intent(out) :: ierror
    integer :: code

    code = glue_cart_stencil_create(comm%mpi_val, ndims, dims, as_int(periods), as_int(reorder), &
                                    k, offsets, weights_or_null(weights, MPI_UNWEIGHTED), &
                                    cart%mpi_val)
    if (present(ierror)) ierror = code
  end subroutine

  subroutine stencilmap_dist_graph_create_adjacent(comm, indegree, sources, sourceweights, &
                                                   outdegree, destinations, destweights, info, &
                                                   reorder, graph, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Info), intent(in) :: info
    integer, intent(in) :: indegree, sources(*), outdegree, destinations(*)
    integer, intent(in), target, contiguous :: sourceweights(..), destweights(..)
    logical, intent(in) :: reorder
    type(MPI_Comm), intent(out) :: graph
    integer, optional, intent(out) :: ierror
    integer :: code

    code = glue_graph_adjacent(comm%mpi_val, indegree, sources, &
                               weights_or_null(sourceweights, MPI_UNWEIGHTED), outdegree, &
                               destinations, weights_or_null(destweights, MPI_UNWEIGHTED), &
                               info%mpi_val, as_int(reorder), graph%mpi_val)
    if (present(ierror)) ierror = code
  end subroutine

  subroutine stencilmap_dist_graph_create(comm, n, sources, degrees, destinations, weights, info, &
                                          reorder, graph, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Info), intent(in) :: info
    integer, intent(in) :: n, sources(*), degrees(*), destinations(*)
    integer, intent(in), target, contiguous :: weights(..)
    logical, intent(in) :: reorder
    type(MPI_Comm), intent(out) :: graph
    integer, optional, intent(out) :: ierror
    integer :: code

    code = glue_graph(comm%mpi_val, n, sources, degrees, destinations, &
                      weights_or_null(weights, MPI_UNWEIGHTED), info%mpi_val, as_int(reorder), &
                      graph%mpi_val)
    if (present(ierror)) ierror = code
  end subroutine

  subroutine stencilmap_get_gain(comm, gain, flag, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer(c_int64_t), intent(inout) :: gain(4)
    logical, intent(out) :: flag
    integer, optional, intent(out) :: ierror
    integer :: code
    integer(c_int) :: known

    known = 0
    code = glue_get_gain(comm%mpi_val, gain, known)
    flag = known /= 0
    if (present(ierror)) ierror = code
  end subroutine

  subroutine stencilmap_get_hint(name, value, flag, ierror)
    character(*), intent(in) :: name
    character(*), intent(inout) :: value
    logical, intent(out) :: flag
    integer, optional, intent(out) :: ierror
    integer :: code

    code = text_of_hint(name, value, flag)
    if (present(ierror)) ierror = code
  end subroutine

  subroutine stencilmap_dims_create(nprocs, ndims, dims, ierror)
    integer, intent(in) :: nprocs, ndims
    integer, intent(inout) :: dims(ndims)
    integer, optional, intent(out) :: ierror
    integer :: code

    code = glue_dims_create(nprocs, ndims, dims)
    if (present(ierror)) ierror = code
  end subroutine

  subroutine stencilmap_dims_create_stencil(comm, ndims, dims, periods, k, offsets, weights, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: ndims, k, offsets(*)
    integer, intent(inout) :: dims(ndims)
    logical, intent(in) :: periods(ndims)
    integer, intent(in), target, contiguous :: weights(..)
    integer, optional, intent(out) :: ierror
    integer :: code

    code = glue_dims_stencil(comm%mpi_val, ndims, dims, as_int(periods), k, offsets, &
                             weights_or_null(weights, MPI_UNWEIGHTED))
    if (present(ierror)) ierror = code
  end subroutine

  subroutine stencilmap_dims_create_lattice(nprocs, ndims, lattice, least_patch, dims, ierror)
    integer, intent(in) :: nprocs, ndims, lattice(ndims), least_patch(ndims)
    integer, intent(inout) :: dims(ndims)
    integer, optional, intent(out) :: ierror
    integer :: code

    code = glue_dims_lattice(nprocs, ndims, lattice, least_patch, dims)
    if (present(ierror)) ierror = code
  end subroutine
end module
