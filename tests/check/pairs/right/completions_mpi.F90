! pair: check=none ranks=2
!
! Every call that completes requests, from module mpi, with statuses and without.
program completions
  use mpi
  implicit none
  integer, parameter :: n = 4
  integer :: rank, peer, round, index, outcount, left, indices(n)
  integer, asynchronous :: in(n), out(n)
  logical :: flag
  integer :: requests(n)
  integer :: ierr, status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, n)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  peer = 1 - rank
  do round = 1, 8
    out = 10 * round + [1, 2, 3, 4]
    call post(MPI_ANY_SOURCE)
    left = n
    do while (left > 0)
      select case (round)
      case (1)
        call mpi_waitany(n, requests, index, MPI_STATUS_IGNORE, ierr)
        left = left - 1
      case (2)
        call mpi_waitany(n, requests, index, status, ierr)
        if (status(MPI_SOURCE) /= peer) print *, 'source', status(MPI_SOURCE)
        left = left - 1
      case (3)
        call mpi_waitsome(n, requests, outcount, indices, MPI_STATUSES_IGNORE, ierr)
        left = left - outcount
      case (4)
        call mpi_waitsome(n, requests, outcount, indices, statuses, ierr)
        left = left - outcount
      case (5)
        call mpi_testany(n, requests, index, flag, MPI_STATUS_IGNORE, ierr)
        if (flag) left = left - 1
      case (6)
        call mpi_testsome(n, requests, outcount, indices, statuses, ierr)
        left = left - outcount
      case (7)
        call mpi_testall(n, requests, flag, MPI_STATUSES_IGNORE, ierr)
        if (flag) left = 0
      case (8)
        call mpi_test(requests(left), flag, status, ierr)
        if (flag) left = left - 1
      end select
    end do
    if (any(in /= out)) print *, 'round', round, in
  end do
  call prepare()
  do round = 9, 12
    out = 10 * round + [1, 2, 3, 4]
    call mpi_startall(n, requests, ierr)
    do index = n, 1, -1
      call mpi_send(out(index), 1, MPI_INTEGER, peer, index, MPI_COMM_WORLD, ierr)
    end do
    do left = 1, n
      call mpi_waitany(n, requests, index, MPI_STATUS_IGNORE, ierr)
    end do
    if (any(in /= out)) print *, 'round', round, in
  end do
  do index = 1, n
    call mpi_request_free(requests(index), ierr)
  end do
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
contains
  subroutine prepare()
    integer :: i

    do i = 1, n
      call mpi_recv_init(in(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, requests(i), ierr)
    end do
  end subroutine

  subroutine post(source)
    integer, intent(in) :: source
    integer :: i

    do i = 1, n
      call mpi_irecv(in(i), 1, MPI_INTEGER, source, i, MPI_COMM_WORLD, requests(i), ierr)
    end do
    do i = n, 1, -1
      call mpi_send(out(i), 1, MPI_INTEGER, peer, i, MPI_COMM_WORLD, ierr)
    end do
  end subroutine
end program
