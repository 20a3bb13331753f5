! corpus: ranks=4
!
! Heat in a rod, in modern Fortran (mpi_f08): the rod is cut among the ranks, which exchange the temperatures at their
! ends (Isend, Irecv, Waitall) and now and then ask whether all is calm (Allreduce). In the end rank 0 collects the rod
! (Gatherv).
!
! Check: heat that cannot leave the rod is still there, and the known decay of a cosine is found.
module rod
  use mpi_f08
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none

  integer, parameter :: cells = 120, steps = 60, steps_between_checks = 20
  real(real64), parameter :: pi = acos(-1.0_real64), speed = 0.25_real64

  type :: part
    integer :: rank = 0, size = 0, first = 0, count = 0
    integer :: left = MPI_PROC_NULL, right = MPI_PROC_NULL
    real(real64), allocatable :: now(:), next(:)  ! 0 to count + 1
  end type part

contains

  real(real64) function form(cell)
    integer, intent(in) :: cell

    form = cos(pi * (cell - 0.5_real64) / cells)
  end function form

  subroutine part_init(p)
    type(part), intent(out) :: p
    integer :: i

    call MPI_Comm_rank(MPI_COMM_WORLD, p%rank)
    call MPI_Comm_size(MPI_COMM_WORLD, p%size)
    p%first = cells * p%rank / p%size
    p%count = cells * (p%rank + 1) / p%size - p%first
    if (p%rank > 0) p%left = p%rank - 1
    if (p%rank + 1 < p%size) p%right = p%rank + 1
    allocate (p%now(0:p%count + 1), p%next(0:p%count + 1))
    p%now = [(1 + form(p%first + i), i = 0, p%count + 1)]
  end subroutine part_init

  subroutine exchange_ends(p)
    type(part), intent(inout), asynchronous :: p
    type(MPI_Request) :: requests(4)

    call MPI_Irecv(p%now(0), 1, MPI_DOUBLE_PRECISION, p%left, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Irecv(p%now(p%count + 1), 1, MPI_DOUBLE_PRECISION, p%right, 2, MPI_COMM_WORLD, requests(2))
    call MPI_Isend(p%now(p%count), 1, MPI_DOUBLE_PRECISION, p%right, 1, MPI_COMM_WORLD, requests(3))
    call MPI_Isend(p%now(1), 1, MPI_DOUBLE_PRECISION, p%left, 2, MPI_COMM_WORLD, requests(4))
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    ! Nothing leaves the rod: beyond its ends it is as warm as there.
    if (p%left == MPI_PROC_NULL) p%now(0) = p%now(1)
    if (p%right == MPI_PROC_NULL) p%now(p%count + 1) = p%now(p%count)
  end subroutine exchange_ends

  subroutine step(p, change)
    type(part), intent(inout) :: p
    real(real64), intent(out) :: change
    integer :: i

    do i = 1, p%count
      p%next(i) = p%now(i) + speed * (p%now(i - 1) - 2 * p%now(i) + p%now(i + 1))
    end do
    change = maxval(abs(p%next(1:p%count) - p%now(1:p%count)))
    p%now(1:p%count) = p%next(1:p%count)
  end subroutine step

  subroutine collect(p, whole)
    type(part), intent(in) :: p
    real(real64), intent(out) :: whole(cells)
    integer :: counts(p%size), places(p%size), i

    counts = [(cells * (i + 1) / p%size - cells * i / p%size, i = 0, p%size - 1)]
    places = [(cells * i / p%size, i = 0, p%size - 1)]
    call MPI_Gatherv(p%now(1:p%count), p%count, MPI_DOUBLE_PRECISION, whole, counts, places, MPI_DOUBLE_PRECISION, &
                     0, MPI_COMM_WORLD)
  end subroutine collect

  ! How far the rod is from the exact solution of its equations.
  real(real64) function error_of(whole)
    real(real64), intent(in) :: whole(cells)
    real(real64) :: decay
    integer :: i

    decay = (1 - 2 * speed * (1 - cos(pi / cells)))**steps
    error_of = maxval([(abs(whole(i) - 1 - decay * form(i)), i = 1, cells)])
  end function error_of
end module rod

program heat
  use mpi_f08
  use rod
  implicit none

  type(part) :: p
  real(real64) :: whole(cells), change, largest, began
  integer :: i
  character(len=5) :: verdict

  call MPI_Init()
  began = MPI_Wtime()
  call part_init(p)
  largest = 0
  do i = 1, steps
    call exchange_ends(p)
    call step(p, change)
    if (mod(i, steps_between_checks) == 0) then
      call MPI_Allreduce(change, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    end if
  end do
  call collect(p, whole)
  if (p%rank == 0) then
    verdict = merge('ok   ', 'wrong', error_of(whole) < 1e-9 .and. abs(sum(whole) - cells) < 1e-9 &
                    .and. MPI_Wtime() >= began)
    print '(2a,es9.1,a,es9.1)', trim(verdict), ' : last change', largest, ', error', error_of(whole)
  end if
  call MPI_Finalize()
end program heat
