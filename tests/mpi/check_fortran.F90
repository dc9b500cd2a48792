! SPDX-License-Identifier: BSD-3-Clause
!
! check_fortran: that what goes through the Fortran interface arrives: logicals, handles, columns of
! offsets, MPI_UNWEIGHTED, texts, errors. What the functions do with it is for check_cart and others.
! Compiled three times, see check_random.F90. One line per check, "ok ..." or "FAIL ...".
#if defined(FLAVOUR_F08)
#define HANDLE type(MPI_Comm)
#else
#define HANDLE integer
#endif
program check_fortran
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  use, intrinsic :: iso_fortran_env, only: int64
#if defined(FLAVOUR_F08)
  use mpi_f08
  use stencilmap_f08
#elif defined(FLAVOUR_MPI)
  use mpi
  use stencilmap
#endif
  implicit none
#if defined(FLAVOUR_MPIF)
  include 'mpif.h'
  external :: stencilmap_cart_create, mpix_cart_stencil_comm, stencilmap_cart_stencil_create, &
              stencilmap_dist_graph_create_adjacent, stencilmap_dist_graph_create, &
              stencilmap_get_gain, stencilmap_get_hint
#endif
  interface
    integer(c_int) function setenv(name, value, overwrite) bind(C)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*), value(*)
      integer(c_int), value :: overwrite
    end function
  end interface
  integer :: ierror, p, me, failures

  call MPI_Init(ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  failures = 0
  call check_logicals()
  call check_offsets()
  call check_errors()
  call check_beyond()
  call check_adjacent()
  call check_graph()
  call check_gain()
  call check_hint()
#if defined(FLAVOUR_F08)
  call check_without_ierror()
#endif
  if (me == 0) print '(i0, a)', failures, ' failures'
  call MPI_Finalize(ierror)
  if (failures > 0) stop 1

contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    logical :: all_good

    call MPI_Allreduce(good, all_good, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
    if (.not. all_good) failures = failures + 1
    if (me == 0) print '(a, 1x, a)', trim(merge('ok  ', 'FAIL', all_good)), what
  end subroutine

  logical function same_order(a, b)
    HANDLE, intent(in) :: a, b
    integer :: relation

    call MPI_Comm_compare(a, b, relation, ierror)
    same_order = relation == MPI_IDENT .or. relation == MPI_CONGRUENT
  end function

  subroutine check_logicals()
    HANDLE :: cart
    integer :: code, dims(3), coords(3)
    logical :: periods(3)

    call stencilmap_cart_create(MPI_COMM_WORLD, 3, [p, 1, 1], [.true., .false., .true.], .false., &
                                cart, code)
    call MPI_Cart_get(cart, 3, dims, periods, coords, ierror)
    call check(code == MPI_SUCCESS .and. all(dims == [p, 1, 1]) .and. periods(1) .and. &
               .not. periods(2) .and. periods(3), 'dims and periods arrive')
    call check(same_order(MPI_COMM_WORLD, cart), 'reorder = .false. keeps the order')
    call MPI_Comm_free(cart, ierror)
  end subroutine

  ! The same stencil by all three ways: ranks must be the same. Flat, and one offset a column.
  subroutine check_offsets()
    HANDLE :: nearest, flat, columns, weighted
    integer :: dims(2), code(4)
    integer :: offsets(2, 4) = reshape([1, 0, -1, 0, 0, 1, 0, -1], [2, 4])
    logical :: periods(2) = .false.

    dims = 0
    call MPI_Dims_create(p, 2, dims, ierror)
    call stencilmap_cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., nearest, code(1))
    call mpix_cart_stencil_comm(MPI_COMM_WORLD, 2, dims, periods, .true., &
                                [1, 0, -1, 0, 0, 1, 0, -1], 4, flat, code(2))
    call stencilmap_cart_stencil_create(MPI_COMM_WORLD, 2, dims, periods, .true., 4, offsets, &
                                        MPI_UNWEIGHTED, columns, code(3))
    call stencilmap_cart_stencil_create(MPI_COMM_WORLD, 2, dims, periods, .true., 4, offsets, &
                                        [7, 7, 7, 7], weighted, code(4))
    call check(all(code == MPI_SUCCESS), 'offsets flat and in columns, weights and MPI_UNWEIGHTED')
    call check(all([same_order(nearest, flat), same_order(flat, columns), &
                    same_order(columns, weighted)]), '  all of them give the same ranks')
    call MPI_Comm_free(nearest, ierror)
    call MPI_Comm_free(flat, ierror)
    call MPI_Comm_free(columns, ierror)
    call MPI_Comm_free(weighted, ierror)
  end subroutine

  subroutine check_errors()
    HANDLE :: comm, cart
    integer :: code, theirs, class, their_class

    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierror)
    call MPI_Cart_create(comm, 1, [p + 1], [.false.], .true., cart, theirs)
    call stencilmap_cart_create(comm, 1, [p + 1], [.false.], .true., cart, code)
    call MPI_Error_class(code, class, ierror)
    call MPI_Error_class(theirs, their_class, ierror)
    call check(code /= MPI_SUCCESS .and. class == their_class, 'too large a grid: an error as MPI''s')
    call mpix_cart_stencil_comm(comm, 1, [p], [.false.], .true., [1], -1, cart, code)
    call MPI_Error_class(code, class, ierror)
    call check(class == MPI_ERR_ARG, 'a negative k: MPI_ERR_ARG')
    call MPI_Comm_free(comm, ierror)
  end subroutine

  subroutine check_beyond()
    HANDLE :: cart
    integer :: code

    if (p < 2) return
    call stencilmap_cart_create(MPI_COMM_WORLD, 1, [p - 1], [.false.], .true., cart, code)
    call check(code == MPI_SUCCESS .and. (cart == MPI_COMM_NULL .eqv. me == p - 1), &
               'a process beyond the grid gets MPI_COMM_NULL')
    if (cart /= MPI_COMM_NULL) call MPI_Comm_free(cart, ierror)
  end subroutine

  ! A ring, every rank to the next one; the last one closes it only if it is told to.
  subroutine check_adjacent()
    HANDLE :: graph
    integer :: code, next, before, from(1), to(1), from_weights(1), to_weights(1)
    logical :: weighted

    next = modulo(me + 1, p)
    before = modulo(me - 1, p)
    call stencilmap_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [before], [before + 5], 1, &
                                               [next], [me + 5], MPI_INFO_NULL, .false., graph, code)
    call neighbours(graph, from, from_weights, to, to_weights, weighted)
    call check(code == MPI_SUCCESS .and. weighted .and. from(1) == before .and. to(1) == next .and. &
               from_weights(1) == before + 5 .and. to_weights(1) == me + 5, &
               'adjacent graph: neighbours and weights arrive')
    call MPI_Comm_free(graph, ierror)
    call stencilmap_dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [before], MPI_UNWEIGHTED, 1, &
                                               [next], MPI_UNWEIGHTED, MPI_INFO_NULL, .true., &
                                               graph, code)
    call neighbours(graph, from, from_weights, to, to_weights, weighted)
    call check(code == MPI_SUCCESS .and. .not. weighted, 'adjacent graph: MPI_UNWEIGHTED arrives')
    call check(ring_closes(graph, to(1)), '  and with reorder it is still the ring')
    call MPI_Comm_free(graph, ierror)
    call stencilmap_dist_graph_create_adjacent(MPI_COMM_WORLD, 0, [0], MPI_WEIGHTS_EMPTY, 0, [0], &
                                               [integer ::], MPI_INFO_NULL, .false., graph, code)
    call MPI_Dist_graph_neighbors_count(graph, from(1), to(1), weighted, ierror)
    call check(code == MPI_SUCCESS .and. weighted .and. from(1) == 0 .and. to(1) == 0, &
               'adjacent graph: MPI_WEIGHTS_EMPTY and an empty array are weights')
    call MPI_Comm_free(graph, ierror)
  end subroutine

  ! All edges are given by rank 0.
  subroutine check_graph()
    HANDLE :: graph
    integer :: code, i, n, from(1), to(1), from_weights(1), to_weights(1)
    logical :: weighted

    n = merge(p, 0, me == 0)
    call stencilmap_dist_graph_create(MPI_COMM_WORLD, n, [(i, i = 0, n - 1)], [(1, i = 1, n)], &
                                      [(modulo(i + 1, p), i = 0, n - 1)], [(i + 5, i = 0, n - 1)], &
                                      MPI_INFO_NULL, .false., graph, code)
    call neighbours(graph, from, from_weights, to, to_weights, weighted)
    call check(code == MPI_SUCCESS .and. weighted .and. to(1) == modulo(me + 1, p) .and. &
               to_weights(1) == me + 5, 'graph: neighbours and weights arrive')
    call MPI_Comm_free(graph, ierror)
    call stencilmap_dist_graph_create(MPI_COMM_WORLD, n, [(i, i = 0, n - 1)], [(1, i = 1, n)], &
                                      [(modulo(i + 1, p), i = 0, n - 1)], MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .true., graph, code)
    call neighbours(graph, from, from_weights, to, to_weights, weighted)
    call check(code == MPI_SUCCESS .and. .not. weighted, 'graph: MPI_UNWEIGHTED arrives')
    call check(ring_closes(graph, to(1)), '  and with reorder it is still the ring')
    call MPI_Comm_free(graph, ierror)
  end subroutine

  subroutine neighbours(graph, from, from_weights, to, to_weights, weighted)
    HANDLE, intent(in) :: graph
    integer, intent(out) :: from(1), from_weights(1), to(1), to_weights(1)
    logical, intent(out) :: weighted
    integer :: in, out

    call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierror)
    from = -1
    to = -1
    if (in /= 1 .or. out /= 1) return
    call MPI_Dist_graph_neighbors(graph, 1, from, from_weights, 1, to, to_weights, ierror)
  end subroutine

  ! Following next p times, and not before, ends where it began.
  logical function ring_closes(graph, next)
    HANDLE, intent(in) :: graph
    integer, intent(in) :: next
    integer :: all_next(0:p - 1), at, steps

    call MPI_Allgather(next, 1, MPI_INTEGER, all_next, 1, MPI_INTEGER, graph, ierror)
    at = 0
    steps = 0
    do
      if (at < 0 .or. at >= p) exit
      at = all_next(at)
      steps = steps + 1
      if (at == 0 .or. steps > p) exit
    end do
    ring_closes = steps == p .and. at == 0
  end function

  subroutine check_gain()
    HANDLE :: cart
    integer(int64) :: gain(4)
    integer :: code
    logical :: known

    gain = 7
    call stencilmap_get_gain(MPI_COMM_WORLD, gain, known, code)
    call check(code == MPI_SUCCESS .and. .not. known .and. all(gain == 7), 'no gain of MPI_COMM_WORLD')
    call stencilmap_cart_create(MPI_COMM_WORLD, 1, [p], [.true.], .true., cart, code)
    call stencilmap_get_gain(cart, gain, known, code)
    call check(code == MPI_SUCCESS .and. (.not. known .or. (gain(1) >= gain(2) .and. &
               gain(3) <= gain(1) .and. gain(4) <= gain(2))), 'the gain of a cart')
    call MPI_Comm_free(cart, ierror)
  end subroutine

  subroutine check_hint()
    character(8) :: value
    character(2) :: short
    integer :: code
    logical :: known

    value = 'as it is'
    call stencilmap_get_hint('NO_SUCH', value, known, code)
    call check(code == MPI_SUCCESS .and. .not. known .and. value == 'as it is', 'a hint that is not')
    code = setenv('STENCILMAP_ANY' // c_null_char, '4x8' // c_null_char, 1_c_int)
    call stencilmap_get_hint('ANY', value, known, code)
    call check(code == MPI_SUCCESS .and. known .and. value == '4x8', 'a hint, filled up with blanks')
    call stencilmap_get_hint('ANY  ', short, known, code)
    call check(code == MPI_SUCCESS .and. known .and. short == '4x', 'a hint, cut')
  end subroutine

#if defined(FLAVOUR_F08)
  subroutine check_without_ierror()
    type(MPI_Comm) :: cart, graph
    integer(int64) :: gain(4)
    character(8) :: value
    logical :: known

    call stencilmap_cart_create(MPI_COMM_WORLD, 1, [p], [.false.], .true., cart)
    call MPI_Comm_free(cart)
    call mpix_cart_stencil_comm(MPI_COMM_WORLD, 1, [p], [.false.], .true., [1], 1, cart)
    call MPI_Comm_free(cart)
    call stencilmap_cart_stencil_create(MPI_COMM_WORLD, 1, [p], [.false.], .true., 1, [1], &
                                        MPI_UNWEIGHTED, cart)
    call stencilmap_get_gain(cart, gain, known)
    call MPI_Comm_free(cart)
    call stencilmap_dist_graph_create_adjacent(MPI_COMM_WORLD, 0, [0], MPI_UNWEIGHTED, 0, [0], &
                                               MPI_UNWEIGHTED, MPI_INFO_NULL, .true., graph)
    call MPI_Comm_free(graph)
    call stencilmap_dist_graph_create(MPI_COMM_WORLD, 0, [0], [0], [0], MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .true., graph)
    call MPI_Comm_free(graph)
    call stencilmap_get_hint('ANY', value, known)
    call check(known .and. value == '4x8', 'without ierror')
  end subroutine
#endif
end program
