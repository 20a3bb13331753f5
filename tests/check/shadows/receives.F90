! As receives.c, in Fortran: sums of what was received, with positions, under two interfaces.
program receives
#ifdef WITH_F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
  integer, parameter :: n = 20000
  integer :: rank, i, error
  double precision, asynchronous :: mine(n), theirs(n), matrix(40, 40)
#ifdef WITH_F08
  type(MPI_Request) :: requests(3)
  type(MPI_Datatype) :: row
  type(MPI_Status) :: statuses(3)
#else
  integer :: requests(3), row, statuses(MPI_STATUS_SIZE, 3)
#endif
  integer :: indices(3), done, left

  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  mine = [(sqrt(dble(i)), i = 1, n)]
  theirs = -1
  matrix = 2

  call mpi_irecv(theirs, n, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, requests(1), error)
  call mpi_isend(mine, n - 5, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, requests(2), error)
  call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, error)
  call show('plain', theirs, n)

  call mpi_type_vector(40, 1, 40, MPI_DOUBLE_PRECISION, row, error)
  call mpi_type_commit(row, error)
  call mpi_irecv(matrix(5, 1), 1, row, 1 - rank, 1, MPI_COMM_WORLD, requests(1), error)
  call mpi_send(mine, 40, MPI_DOUBLE_PRECISION, 1 - rank, 1, MPI_COMM_WORLD, error)
  call mpi_wait(requests(1), MPI_STATUS_IGNORE, error)
  call show('row', matrix, 1600)
  call mpi_type_free(row, error)

  theirs = -2
  call mpi_irecv(theirs(1:99:2), 50, MPI_DOUBLE_PRECISION, 1 - rank, 2, MPI_COMM_WORLD, requests(1), error)
  call mpi_irecv(theirs(n:n - 10:-1), 3, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 2, MPI_COMM_WORLD, requests(2), error)
  call mpi_isend(mine, 50, MPI_DOUBLE_PRECISION, 1 - rank, 2, MPI_COMM_WORLD, requests(3), error)
  left = 3
  do while (left > 0)
    call mpi_testsome(3, requests, done, indices, statuses, error)
    left = left - done
  end do
#ifdef WITH_F08
  if (MPI_SUBARRAYS_SUPPORTED) call show('section', theirs, n)
#endif

  theirs = -3
  call mpi_recv_init(theirs, n, MPI_DOUBLE_PRECISION, 1 - rank, 3, MPI_COMM_WORLD, requests(1), error)
  call mpi_send_init(mine, n, MPI_DOUBLE_PRECISION, 1 - rank, 3, MPI_COMM_WORLD, requests(2), error)
  do i = 1, 3
    mine(i) = i
    call mpi_startall(2, requests, error)
    call mpi_waitall(2, requests, statuses, error)
    call show('persistent', theirs, n)
  end do
  call mpi_request_free(requests(1), error)
  call mpi_request_free(requests(2), error)

  theirs = mine + rank
  call mpi_iallreduce(MPI_IN_PLACE, theirs, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1), error)
  call mpi_wait(requests(1), MPI_STATUS_IGNORE, error)
  call show('collective', theirs, n)
  call mpi_finalize(error)
contains
  subroutine show(what, values, count)
    character(*), intent(in) :: what
    integer, intent(in) :: count
    double precision, intent(in) :: values(count)
    integer :: k

    if (rank == 1) print '(a, 1x, z16)', what, sum([(values(k) * mod(k, 1013), k = 1, count)])
  end subroutine
end program
