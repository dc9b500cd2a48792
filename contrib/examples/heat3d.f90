! SPDX-License-Identifier: BSD-3-Clause
!
! heat3d: heat that spreads in a block, to see what a mapping of ranks to nodes does to a code, and
! that it leaves the results alone. README.md has the srun lines.
!
! The block is cut into bricks, one per process; a step exchanges the faces of neighbouring bricks
! and computes every cell from itself and its six neighbours. A cell is computed by the same
! arithmetic wherever it is, so the result must have the same bits as that of one process alone,
! which computes everything once more.
program heat3d
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  use mpi_f08
  use stencilmap_f08
  implicit none

  type :: brick
    integer :: first(3), size(3)                 ! its first cell in the block, how many there are
    real(real64), allocatable :: now(:, :, :), next(:, :, :) ! with a rim of one cell
  end type

  character(10) :: ranks = 'stencilmap'          ! who decides which process has which brick
  integer :: cells(3) = [48, 40, 36], dims(3) = 0, steps = 50
  logical :: periods(3) = .false.

  type(MPI_Comm) :: comm                         ! rank r has brick r, the last dimension first
  integer :: neighbours(2, 3)                    ! below and above in each dimension
  type(MPI_Datatype) :: faces(2, 2, 3)           ! sent and received; below and above; dimension
  type(brick) :: mine
  integer :: code

  call MPI_Init()
  call read_options()
  call arrange()
  code = 0
  if (comm /= MPI_COMM_NULL) call run()
  call MPI_Finalize()
  if (code /= 0) stop 1

contains

  subroutine read_options()
    character(100) :: text
    integer :: i, p, me, status

    call MPI_Comm_size(MPI_COMM_WORLD, p)
    call MPI_Comm_rank(MPI_COMM_WORLD, me)
    do i = 1, command_argument_count()
      call get_command_argument(i, text)
      call read_option(trim(text), status)
      if (status == 0) cycle
      if (me == 0) write (error_unit, '(a)') 'heat3d: cannot use ''' // trim(text) // '''', &
        'usage: heat3d [options]', &
        '  --ranks=stencilmap   stencilmap_cart_create decides who has which brick (default)', &
        '  --ranks=cart         MPI_Cart_create does, with reorder = .true.', &
        '  --ranks=world        nobody: ranks of MPI_COMM_WORLD, the last dimension first', &
        '  --cells=48x40x36     size of the block', &
        '  --dims=2x4x4         bricks (default: as MPI_Dims_create has it)', &
        '  --periodic=1,0,0     which dimensions close to a ring (default: none)', &
        '  --steps=50'
      call MPI_Finalize()
      stop 2
    end do
    if (dims(1) == 0) call MPI_Dims_create(p, 3, dims)
    if (product(dims) > p .or. any(dims > cells)) then
      if (me == 0) write (error_unit, '(a, i0, 5a)') 'heat3d: there are ', p, ' processes and ', &
        joined(cells), ' cells, too few for ', joined(dims), ' bricks'
      call MPI_Finalize()
      stop 2
    end if
  end subroutine

  ! status is 0 for an option that can be used.
  subroutine read_option(text, status)
    character(*), intent(in) :: text
    integer, intent(out) :: status
    character(100) :: words
    integer :: equals, i, wrap(3)

    equals = index(text, '=')
    words = text(equals + 1:)
    do i = 1, len_trim(words)
      if (words(i:i) == 'x') words(i:i) = ' '
    end do
    status = 1
    select case (text(:equals))
    case ('--ranks=')
      ranks = text(equals + 1:)
      if (ranks == 'stencilmap' .or. ranks == 'cart' .or. ranks == 'world') status = 0
    case ('--cells=')
      read (words, *, iostat=status) cells
      if (status == 0 .and. any(cells < 1)) status = 1
    case ('--dims=')
      read (words, *, iostat=status) dims
      if (status == 0 .and. any(dims < 1)) status = 1
    case ('--periodic=')
      read (words, *, iostat=status) wrap
      if (status == 0 .and. any(wrap < 0 .or. wrap > 1)) status = 1
      if (status == 0) periods = wrap == 1
    case ('--steps=')
      read (words, *, iostat=status) steps
      if (status == 0 .and. steps < 1) status = 1
    end select
  end subroutine

  function joined(values) result(text)
    integer, intent(in) :: values(3)
    character(:), allocatable :: text
    character(40) :: buffer

    write (buffer, '(i0, "x", i0, "x", i0)') values
    text = trim(buffer)
  end function

  subroutine arrange()
    integer :: coords(3), me, d

    select case (ranks)
    case ('world')
      call arrange_by_hand(coords)
    case ('cart')
      call MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, .true., comm)
    case default
      call stencilmap_cart_create(MPI_COMM_WORLD, 3, dims, periods, .true., comm)
    end select
    if (comm == MPI_COMM_NULL) return
    if (ranks /= 'world') then
      ! A process has a new rank now, and its brick follows from it, never from the old one.
      call MPI_Comm_rank(comm, me)
      call MPI_Cart_coords(comm, me, 3, coords)
      do d = 1, 3
        call MPI_Cart_shift(comm, d - 1, 1, neighbours(1, d), neighbours(2, d))
      end do
    end if
    mine%first = int(int(cells, int64) * coords / dims)
    mine%size = int(int(cells, int64) * (coords + 1) / dims) - mine%first
    call fill(mine)
    call make_faces()
  end subroutine

  ! Without Cartesian communicators: what many codes do.
  subroutine arrange_by_hand(coords)
    integer, intent(out) :: coords(3)
    integer :: me, d, side, there(3)

    call MPI_Comm_rank(MPI_COMM_WORLD, me)
    call MPI_Comm_split(MPI_COMM_WORLD, merge(0, MPI_UNDEFINED, me < product(dims)), 0, comm)
    coords = [me / (dims(2) * dims(3)), modulo(me / dims(3), dims(2)), modulo(me, dims(3))]
    do d = 1, 3
      do side = 1, 2
        there = coords
        there(d) = there(d) + 2 * side - 3
        if (periods(d)) there(d) = modulo(there(d), dims(d))
        neighbours(side, d) = (there(1) * dims(2) + there(2)) * dims(3) + there(3)
        if (there(d) < 0 .or. there(d) >= dims(d)) neighbours(side, d) = MPI_PROC_NULL
      end do
    end do
  end subroutine

  ! Some value for the start, from 0 to 1000, that differs from cell to cell.
  subroutine fill(b)
    type(brick), intent(inout) :: b
    integer :: i, j, k

    allocate (b%now(0:b%size(1) + 1, 0:b%size(2) + 1, 0:b%size(3) + 1), source=0.0_real64)
    allocate (b%next, source=b%now)
    do k = 1, b%size(3)
      do j = 1, b%size(2)
        do i = 1, b%size(1)
          b%now(i, j, k) = real(modulo((b%first(1) + i) * 397 + (b%first(2) + j) * 211 + &
                                       (b%first(3) + k) * 103, 1001), real64)
        end do
      end do
    end do
  end subroutine

  ! The faces of a brick as MPI types: nothing is copied by hand.
  subroutine make_faces()
    integer :: d, whole(3), part(3), from(3)

    whole = mine%size + 2
    do d = 1, 3
      part = mine%size
      part(d) = 1
      from = 1
      call make_face(faces(1, 1, d), whole, part, from, d, 1)
      call make_face(faces(1, 2, d), whole, part, from, d, mine%size(d))
      call make_face(faces(2, 1, d), whole, part, from, d, 0)
      call make_face(faces(2, 2, d), whole, part, from, d, mine%size(d) + 1)
    end do
  end subroutine

  subroutine make_face(face, whole, part, from, d, at)
    type(MPI_Datatype), intent(out) :: face
    integer, intent(in) :: whole(3), part(3), from(3), d, at
    integer :: start(3)

    start = from
    start(d) = at
    call MPI_Type_create_subarray(3, whole, part, start, MPI_ORDER_FORTRAN, MPI_REAL8, face)
    call MPI_Type_commit(face)
  end subroutine

  ! The six faces; where there is no neighbour the rim stays 0.
  subroutine exchange()
    type(MPI_Request) :: requests(12)
    integer :: d, side, n

    n = 0
    do d = 1, 3
      do side = 1, 2
        call MPI_Irecv(mine%now, 1, faces(2, side, d), neighbours(side, d), 2 * d + side, comm, &
                       requests(n + 1))
        call MPI_Isend(mine%now, 1, faces(1, side, d), neighbours(side, d), 2 * d + 3 - side, &
                       comm, requests(n + 2))
        n = n + 2
      end do
    end do
    call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE)
    if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_F_sync_reg(mine%now)
  end subroutine

  subroutine compute(b)
    type(brick), intent(inout) :: b
    real(real64), allocatable :: swap(:, :, :)
    integer :: i, j, k

    do k = 1, b%size(3)
      do j = 1, b%size(2)
        do i = 1, b%size(1)
          b%next(i, j, k) = b%now(i, j, k) + 0.125_real64 * &
            (((b%now(i - 1, j, k) + b%now(i + 1, j, k)) + &
              (b%now(i, j - 1, k) + b%now(i, j + 1, k))) + &
             ((b%now(i, j, k - 1) + b%now(i, j, k + 1)) - 6 * b%now(i, j, k)))
        end do
      end do
    end do
    call move_alloc(b%now, swap)
    call move_alloc(b%next, b%now)
    call move_alloc(swap, b%next)
  end subroutine

  ! What exchange does, for a brick that is the whole block.
  subroutine wrap(b)
    type(brick), intent(inout) :: b

    associate (n => b%size)
      if (periods(1)) then
        b%now(0, :, :) = b%now(n(1), :, :)
        b%now(n(1) + 1, :, :) = b%now(1, :, :)
      end if
      if (periods(2)) then
        b%now(:, 0, :) = b%now(:, n(2), :)
        b%now(:, n(2) + 1, :) = b%now(:, 1, :)
      end if
      if (periods(3)) then
        b%now(:, :, 0) = b%now(:, :, n(3))
        b%now(:, :, n(3) + 1) = b%now(:, :, 1)
      end if
    end associate
  end subroutine

  ! The whole block, computed by rank 0 alone, and given to all.
  subroutine compute_alone(all)
    real(real64), allocatable, intent(out) :: all(:, :, :)
    type(brick) :: block
    integer :: me, step

    allocate (all(cells(1), cells(2), cells(3)))
    call MPI_Comm_rank(comm, me)
    if (me == 0) then
      block%first = 0
      block%size = cells
      call fill(block)
      do step = 1, steps
        call wrap(block)
        call compute(block)
      end do
      all = block%now(1:cells(1), 1:cells(2), 1:cells(3))
    end if
    call MPI_Bcast(all, size(all), MPI_REAL8, 0, comm)
  end subroutine

  ! A checksum of all bits, which does not depend on who has which cell, and the number of cells
  ! that differ from the block computed alone.
  subroutine verify(checksum, wrong)
    integer(int64), intent(out) :: checksum
    integer, intent(out) :: wrong
    real(real64), allocatable :: all(:, :, :)
    integer(int64) :: bits, sum
    integer :: i, j, k, at(3), bad

    call compute_alone(all)
    sum = 0
    bad = 0
    do k = 1, mine%size(3)
      do j = 1, mine%size(2)
        do i = 1, mine%size(1)
          at = mine%first + [i, j, k]
          bits = transfer(mine%now(i, j, k), bits)
          if (bits /= transfer(all(at(1), at(2), at(3)), bits)) bad = bad + 1
          sum = ieor(sum, ishftc(bits, modulo(at(1) + 5 * at(2) + 23 * at(3), 64)))
        end do
      end do
    end do
    call MPI_Allreduce(sum, checksum, 1, MPI_INTEGER8, MPI_BXOR, comm)
    call MPI_Allreduce(bad, wrong, 1, MPI_INTEGER, MPI_SUM, comm)
  end subroutine

  subroutine run()
    real(real64) :: before, seconds, longest
    integer(int64) :: checksum
    integer :: step, me, wrong
    character(12) :: milliseconds

    seconds = 0
    do step = 1, steps
      before = MPI_Wtime()
      call exchange()
      seconds = seconds + (MPI_Wtime() - before)
      call compute(mine)
    end do
    call MPI_Reduce(seconds, longest, 1, MPI_REAL8, MPI_MAX, 0, comm)
    call verify(checksum, wrong)
    code = merge(1, 0, wrong > 0)
    call MPI_Comm_rank(comm, me)
    if (me == 0) then
      print '(5a, i0, 2a)', 'heat3d: ', joined(cells), ' cells on ', joined(dims), ' processes, ', &
        steps, ' steps, ranks: ', trim(ranks)
      write (milliseconds, '(f12.3)') 1e3_real64 * longest / steps
      print '(3a)', 'heat3d: halo exchange ', trim(adjustl(milliseconds)), ' ms per step'
      print '(a, z16.16, 2a)', 'heat3d: checksum ', checksum, ' ', &
        trim(merge('WRONG', 'OK   ', wrong > 0))
    end if
    call free_all()
  end subroutine

  subroutine free_all()
    integer :: i, side, d

    do d = 1, 3
      do side = 1, 2
        do i = 1, 2
          call MPI_Type_free(faces(i, side, d))
        end do
      end do
    end do
    call MPI_Comm_free(comm)
  end subroutine
end program
