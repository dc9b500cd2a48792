! SPDX-License-Identifier: BSD-3-Clause
!
! check_random ALGORITHM...: what check_random.c does, by the Fortran interface, and the same lines. It
! is compiled three times: with FLAVOUR_MPIF for mpif.h, FLAVOUR_MPI for `use mpi`, FLAVOUR_F08 for
! `use mpi_f08`; but for the declarations all calls are the same text.
#if defined(FLAVOUR_F08)
#define HANDLE type(MPI_Comm)
#else
#define HANDLE integer
#endif
program check_random
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
  external :: stencilmap_cart_create, mpix_cart_stencil_comm
#endif
  interface
    integer(c_int) function setenv(name, value, overwrite) bind(C)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*), value(*)
      integer(c_int), value :: overwrite
    end function
  end interface
  integer, parameter :: nn = 0, moore = 1, component = 2, diagonal = 3, crank_nicolson = 4, &
                        hops = 5, stencils = 7
  integer, parameter :: reach = 3, offsets_max = 2401 ! 7^4
  integer(int64) :: state
  integer :: ierror, p, me, failures, n

  call MPI_Init(ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, p, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  state = variable('STENCILMAP_CHECK_SEED', 1)
  failures = 0
  do n = 1, variable('STENCILMAP_CHECK_GRIDS', 2)
    call check_grid()
  end do
  if (me == 0) print '(i0, a)', failures, ' failures'
  call MPI_Finalize(ierror)
  if (failures > 0) stop 1

contains

  integer function variable(name, otherwise)
    character(*), intent(in) :: name
    integer, intent(in) :: otherwise
    character(20) :: text
    integer :: length

    variable = otherwise
    call get_environment_variable(name, text, length)
    if (length > 0) read (text, *) variable
  end function

  integer function draw(limit)
    integer, intent(in) :: limit
    state = mod(state * 16807, 2147483647_int64)
    draw = int(mod(state, int(limit, int64)))
  end function

  logical function belongs(stencil, x)
    integer, intent(in) :: stencil, x(:)
    integer :: total, first, last

    total = sum(abs(x))
    first = abs(x(1))
    last = abs(x(size(x)))
    select case (stencil)
    case (nn)
      belongs = total == 1
    case (moore)
      belongs = maxval(abs(x)) == 1
    case (component)
      belongs = total == 1 .and. last == 0
    case (diagonal)
      belongs = all(abs(x) == 1)
    case (crank_nicolson)
      belongs = (total - last == 1 .and. any(x(size(x)) == [0, 1])) .or. &
                (total - last == 0 .and. x(size(x)) == 1)
    case (hops)
      belongs = total == 1 .or. (total == first .and. total > 1)
    case default ! hops-last
      belongs = total == 1 .or. (total == last .and. total > 1)
    end select
  end function

  ! One offset is one column.
  subroutine fill_offsets(offsets, k, stencil, d)
    integer, intent(in) :: stencil, d
    integer, intent(out) :: offsets(d, offsets_max), k
    integer :: x(d), i

    k = 0
    x = -reach
    do
      if (belongs(stencil, x)) then
        k = k + 1
        offsets(:, k) = x
      end if
      do i = d, 1, -1
        if (x(i) < reach) exit
        x(i) = -reach
      end do
      if (i < 1) return
      x(i) = x(i) + 1
    end do
  end subroutine

  subroutine draw_grid(d, dims, periods)
    integer, intent(out) :: d, dims(4)
    logical, intent(out) :: periods(4)
    integer :: cells, f, i

    cells = p - draw(merge(1, 4, p < 8))
    d = 1 + draw(4)
    dims = 1
    do i = 1, d
      periods(i) = draw(2) == 1
    end do
    f = 2
    do while (cells > 1)
      do while (mod(cells, f) == 0)
        i = 1 + draw(d)
        dims(i) = dims(i) * f
        cells = cells / f
      end do
      f = f + 1
    end do
  end subroutine

  subroutine create(cart, ierror, d, dims, periods, stencil)
    HANDLE, intent(out) :: cart
    integer, intent(out) :: ierror
    integer, intent(in) :: d, dims(d), stencil
    logical, intent(in) :: periods(d)
    integer :: offsets(d, offsets_max), k

    call fill_offsets(offsets, k, stencil, d)
    if (stencil == nn) then
      call stencilmap_cart_create(MPI_COMM_WORLD, d, dims, periods, .true., cart, ierror)
    else
      call mpix_cart_stencil_comm(MPI_COMM_WORLD, d, dims, periods, .true., offsets, k, cart, &
                                  ierror)
    end if
  end subroutine

  ! The row-major rank of coordinates, which wrap around in periodic dimensions; else MPI_PROC_NULL.
  integer function rank_of(x, dims, periods)
    integer, intent(in) :: x(:), dims(:)
    logical, intent(in) :: periods(:)
    integer :: i

    rank_of = 0
    do i = 1, size(x)
      if (.not. periods(i) .and. (x(i) < 0 .or. x(i) >= dims(i))) then
        rank_of = MPI_PROC_NULL
        return
      end if
      rank_of = rank_of * dims(i) + modulo(x(i), dims(i))
    end do
  end function

  ! Are dims, periods, coordinates, neighbours and shifts those of the grid?
  logical function consistent(cart, d, dims, periods)
    HANDLE, intent(in) :: cart
    integer, intent(in) :: d, dims(d)
    logical, intent(in) :: periods(d)
    integer :: got(d), own(d), x(d), below, above, from_below, rank, i
    logical :: wraps(d)

    call MPI_Comm_size(cart, i, ierror)
    call MPI_Comm_rank(cart, rank, ierror)
    call MPI_Cart_get(cart, d, got, wraps, own, ierror)
    consistent = i == product(dims) .and. all(got == dims) .and. all(wraps .eqv. periods)
    call MPI_Cart_coords(cart, rank, d, x, ierror)
    consistent = consistent .and. all(x == own) .and. rank_of(own, dims, periods) == rank
    do i = 1, d
      call MPI_Cart_shift(cart, i - 1, 1, below, above, ierror)
      x = own
      x(i) = own(i) + 1
      consistent = consistent .and. above == rank_of(x, dims, periods)
      x(i) = own(i) - 1
      consistent = consistent .and. below == rank_of(x, dims, periods)
      from_below = MPI_PROC_NULL
      call MPI_Sendrecv(rank, 1, MPI_INTEGER, above, 7, from_below, 1, MPI_INTEGER, below, 7, cart, &
                        MPI_STATUS_IGNORE, ierror)
      consistent = consistent .and. from_below == below
    end do
  end function

  subroutine add_digest(digest, cart, cells)
    integer, intent(inout) :: digest
    HANDLE, intent(in) :: cart
    integer, intent(in) :: cells
    integer :: ranks(cells), i

    call MPI_Allgather(me, 1, MPI_INTEGER, ranks, 1, MPI_INTEGER, cart, ierror)
    do i = 1, cells
      digest = mod(digest * 31 + ranks(i) + 1, 1000003)
    end do
  end subroutine

  subroutine check_grid()
    HANDLE :: cart
    integer :: d, dims(4), cells, a, s, code, digest, bad
    logical :: periods(4), good
    character(40) :: algorithm

    call draw_grid(d, dims, periods)
    cells = product(dims(:d))
    digest = 0
    bad = 0
    do a = 1, command_argument_count()
      call get_command_argument(a, algorithm)
      code = setenv('STENCILMAP_MAP' // c_null_char, trim(algorithm) // c_null_char, 1_c_int)
      do s = nn, stencils - 1
        call create(cart, code, d, dims, periods, s)
        good = code == MPI_SUCCESS .and. (cart /= MPI_COMM_NULL .eqv. me < cells)
        if (good .and. me < cells) then
          good = consistent(cart, d, dims, periods)
          call add_digest(digest, cart, cells)
          call MPI_Comm_free(cart, ierror)
        end if
        if (.not. good) bad = bad + 1
      end do
    end do
    call tell(bad, d, dims, periods, digest)
  end subroutine

  subroutine tell(bad, d, dims, periods, digest)
    integer, intent(in) :: bad, d, dims(d), digest
    logical, intent(in) :: periods(d)
    integer :: worst

    call MPI_Allreduce(bad, worst, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierror)
    if (worst > 0) failures = failures + 1
    if (me == 0) print '(3a)', trim(merge('ok  ', 'FAIL', worst == 0)), ' ', &
      joined(dims, 'x') // ' periods ' // joined(merge(1, 0, periods), ',') // ', ' // &
      joined([command_argument_count() * stencils], ' ') // ' communicators, digest ' // &
      joined([digest], ' ')
  end subroutine

  function joined(values, between) result(text)
    integer, intent(in) :: values(:)
    character, intent(in) :: between
    character(:), allocatable :: text
    character(12) :: number
    integer :: i

    text = ''
    do i = 1, size(values)
      write (number, '(i0)') values(i)
      if (i > 1) text = text // between
      text = text // trim(number)
    end do
  end function
end program
