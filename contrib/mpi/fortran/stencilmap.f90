! SPDX-License-Identifier: BSD-3-Clause
!
! use stencilmap: the interface for programs that say `use mpi`. Handles are integers, ierror is the
! last argument, as in MPI's own module. What the procedures do: stencilmap_mpi(3).
!
! A list of offsets is flat or offsets(ndims, k): one offset is one column. MPI_UNWEIGHTED in place
! of weights: all 1. It is a scalar in some MPIs and an array in others, hence weights of any rank.

! How C sees it: contrib/mpi/fortran/glue.h.
module stencilmap_glue
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_int, c_int64_t, c_loc, &
                                         c_null_char, c_null_ptr, c_ptr
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

    function glue_cart_stencil_create(comm, ndims, dims, periods, reorder, k, offsets, weights, &
        cart) result(code) bind(C, name='stencilmap_f_cart_stencil_create')
      import :: c_int, c_ptr
      integer(c_int), value :: comm, ndims, reorder, k
      integer(c_int), intent(in) :: dims(*), periods(*), offsets(*)
      type(c_ptr), value :: weights
      integer(c_int), intent(out) :: cart
      integer(c_int) :: code
    end function

    function glue_graph_adjacent(comm, indegree, sources, sourceweights, outdegree, destinations, &
        destweights, info, reorder, graph) result(code) &
        bind(C, name='stencilmap_f_dist_graph_create_adjacent')
      import :: c_int, c_ptr
      integer(c_int), value :: comm, indegree, outdegree, info, reorder
      integer(c_int), intent(in) :: sources(*), destinations(*)
      type(c_ptr), value :: sourceweights, destweights
      integer(c_int), intent(out) :: graph
      integer(c_int) :: code
    end function

    function glue_graph(comm, n, sources, degrees, destinations, weights, info, reorder, graph) &
        result(code) bind(C, name='stencilmap_f_dist_graph_create')
      import :: c_int, c_ptr
      integer(c_int), value :: comm, n, info, reorder
      integer(c_int), intent(in) :: sources(*), degrees(*), destinations(*)
      type(c_ptr), value :: weights
      integer(c_int), intent(out) :: graph
      integer(c_int) :: code
    end function

    function glue_get_gain(comm, gain, flag) result(code) bind(C, name='stencilmap_f_get_gain')
      import :: c_int, c_int64_t
      integer(c_int), value :: comm
      integer(c_int64_t), intent(inout) :: gain(4)
      integer(c_int), intent(out) :: flag
      integer(c_int) :: code
    end function

    function glue_get_hint(name, length, value, flag) result(code) &
        bind(C, name='stencilmap_get_hint')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: length
      character(kind=c_char), intent(inout) :: value(*)
      integer(c_int), intent(out) :: flag
      integer(c_int) :: code
    end function

    function glue_dims_create(nprocs, ndims, dims) result(code) &
        bind(C, name='stencilmap_dims_create')
      import :: c_int
      integer(c_int), value :: nprocs, ndims
      integer(c_int), intent(inout) :: dims(*)
      integer(c_int) :: code
    end function

    function glue_dims_stencil(comm, ndims, dims, periods, k, offsets, weights) result(code) &
        bind(C, name='stencilmap_f_dims_create_stencil')
      import :: c_int, c_ptr
      integer(c_int), value :: comm, ndims, k
      integer(c_int), intent(inout) :: dims(*)
      integer(c_int), intent(in) :: periods(*), offsets(*)
      type(c_ptr), value :: weights
      integer(c_int) :: code
    end function

    function glue_dims_lattice(nprocs, ndims, lattice, least_patch, dims) result(code) &
        bind(C, name='stencilmap_dims_create_lattice')
      import :: c_int
      integer(c_int), value :: nprocs, ndims
      integer(c_int), intent(in) :: lattice(*), least_patch(*)
      integer(c_int), intent(inout) :: dims(*)
      integer(c_int) :: code
    end function
  end interface

contains

  ! A logical as C writes it.
  elemental integer(c_int) function as_int(yes)
    logical, intent(in) :: yes
    as_int = merge(1_c_int, 0_c_int, yes)
  end function

  ! Null for MPI's constant, unweighted, and for nothing else: no weights for no edges are weights.
  type(c_ptr) function weights_or_null(weights, unweighted)
    integer, intent(in), target, contiguous :: weights(..), unweighted(..)
    integer, save, target :: none(1) = 0

    weights_or_null = c_loc(weights)
    if (c_associated(weights_or_null, c_loc(unweighted))) then
      weights_or_null = c_null_ptr
    else if (.not. c_associated(weights_or_null)) then
      weights_or_null = c_loc(none)
    end if
  end function

  ! Blanks where a C text ends.
  integer function text_of_hint(name, value, flag) result(code)
    character(*), intent(in) :: name
    character(*), intent(inout) :: value
    logical, intent(out) :: flag
    character(kind=c_char) :: text(len(value) + 1)
    integer(c_int) :: found
    integer :: i

    found = 0
    code = glue_get_hint(trim(name) // c_null_char, size(text), text, found)
    flag = found /= 0
    if (.not. flag) return
    value = ''
    do i = 1, len(value)
      if (text(i) == c_null_char) exit
      value(i:i) = text(i)
    end do
  end function
end module

module stencilmap
  use mpi, only: MPI_UNWEIGHTED
  use stencilmap_glue
  implicit none
  private
  public :: stencilmap_cart_create, mpix_cart_stencil_comm, stencilmap_cart_stencil_create, &
            stencilmap_dist_graph_create_adjacent, stencilmap_dist_graph_create, &
            stencilmap_get_gain, stencilmap_get_hint, stencilmap_dims_create, &
            stencilmap_dims_create_stencil, stencilmap_dims_create_lattice

contains

  subroutine stencilmap_cart_create(comm, ndims, dims, periods, reorder, cart, ierror)
    integer, intent(in) :: comm, ndims, dims(ndims)
    logical, intent(in) :: periods(ndims), reorder
    integer, intent(out) :: cart, ierror

    ierror = glue_cart_create(comm, ndims, dims, as_int(periods), as_int(reorder), cart)
  end subroutine

  subroutine mpix_cart_stencil_comm(oldcomm, ndims, dims, periods, reorder, stencil, k, cartcomm, &
                                    ierror)
    integer, intent(in) :: oldcomm, ndims, dims(ndims), stencil(*), k
    logical, intent(in) :: periods(ndims), reorder
    integer, intent(out) :: cartcomm, ierror

    ierror = glue_cart_stencil_comm(oldcomm, ndims, dims, as_int(periods), as_int(reorder), &
                                    stencil, k, cartcomm)
  end subroutine

  subroutine stencilmap_cart_stencil_create(comm, ndims, dims, periods, reorder, k, offsets, &
                                            weights, cart, ierror)
    integer, intent(in) :: comm, ndims, dims(ndims), k, offsets(*)
    logical, intent(in) :: periods(ndims), reorder
    integer, intent(in), target, contiguous :: weights(..)
    integer, intent(out) :: cart, ierror

    ierror = glue_cart_stencil_create(comm, ndims, dims, as_int(periods), as_int(reorder), k, &
                                      offsets, weights_or_null(weights, MPI_UNWEIGHTED), cart)
  end subroutine

  subroutine stencilmap_dist_graph_create_adjacent(comm, indegree, sources, sourceweights, &
                                                   outdegree, destinations, destweights, info, &
                                                   reorder, graph, ierror)
    integer, intent(in) :: comm, indegree, sources(*), outdegree, destinations(*), info
    integer, intent(in), target, contiguous :: sourceweights(..), destweights(..)
    logical, intent(in) :: reorder
    integer, intent(out) :: graph, ierror

    ierror = glue_graph_adjacent(comm, indegree, sources, &
                                 weights_or_null(sourceweights, MPI_UNWEIGHTED), outdegree, &
                                 destinations, weights_or_null(destweights, MPI_UNWEIGHTED), info, &
                                 as_int(reorder), graph)
  end subroutine

  subroutine stencilmap_dist_graph_create(comm, n, sources, degrees, destinations, weights, info, &
                                          reorder, graph, ierror)
    integer, intent(in) :: comm, n, sources(*), degrees(*), destinations(*), info
    integer, intent(in), target, contiguous :: weights(..)
    logical, intent(in) :: reorder
    integer, intent(out) :: graph, ierror

    ierror = glue_graph(comm, n, sources, degrees, destinations, &
                        weights_or_null(weights, MPI_UNWEIGHTED), info, as_int(reorder), graph)
  end subroutine

  subroutine stencilmap_get_gain(comm, gain, flag, ierror)
    integer, intent(in) :: comm
    integer(c_int64_t), intent(inout) :: gain(4)
    logical, intent(out) :: flag
    integer, intent(out) :: ierror
    integer(c_int) :: known

    known = 0
    ierror = glue_get_gain(comm, gain, known)
    flag = known /= 0
  end subroutine

  subroutine stencilmap_get_hint(name, value, flag, ierror)
    character(*), intent(in) :: name
    character(*), intent(inout) :: value
    logical, intent(out) :: flag
    integer, intent(out) :: ierror

    ierror = text_of_hint(name, value, flag)
  end subroutine

  subroutine stencilmap_dims_create(nprocs, ndims, dims, ierror)
    integer, intent(in) :: nprocs, ndims
    integer, intent(inout) :: dims(ndims)
    integer, intent(out) :: ierror

    ierror = glue_dims_create(nprocs, ndims, dims)
  end subroutine

  subroutine stencilmap_dims_create_stencil(comm, ndims, dims, periods, k, offsets, weights, ierror)
    integer, intent(in) :: comm, ndims, k, offsets(*)
    integer, intent(inout) :: dims(ndims)
    logical, intent(in) :: periods(ndims)
    integer, intent(in), target, contiguous :: weights(..)
    integer, intent(out) :: ierror

    ierror = glue_dims_stencil(comm, ndims, dims, as_int(periods), k, offsets, &
                               weights_or_null(weights, MPI_UNWEIGHTED))
  end subroutine

  subroutine stencilmap_dims_create_lattice(nprocs, ndims, lattice, least_patch, dims, ierror)
    integer, intent(in) :: nprocs, ndims, lattice(ndims), least_patch(ndims)
    integer, intent(inout) :: dims(ndims)
    integer, intent(out) :: ierror

    ierror = glue_dims_lattice(nprocs, ndims, lattice, least_patch, dims)
  end subroutine
end module
