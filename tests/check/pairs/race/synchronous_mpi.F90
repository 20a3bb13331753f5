! pair: check=race.message ranks=3 at=0,1,2
program synchronous
  use mpi
  implicit none
  integer :: ierr, a, b, token, request
  integer, asynchronous :: rank

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  token = 0
  request = MPI_REQUEST_NULL
  if (rank == 0) then
    call mpi_recv(a, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! FOUND
    call mpi_recv(b, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (a + b /= 3) print *, 'sum', a + b
  else if (rank == 1) then
#ifdef WRONG
    call mpi_isend(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request, ierr) ! PARTNER
#else
    call mpi_ssend(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
#endif
    call mpi_send(token, 1, MPI_INTEGER, 2, 1, MPI_COMM_WORLD, ierr)
  else
    call mpi_recv(token, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call mpi_send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr) ! PARTNER
  end if
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
