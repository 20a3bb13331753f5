! pair: check=argument.invalid-handle ranks=2 at=0,1 dies
!
! The array has three elements, two requests are made.
program invalid_request
  use mpi_f08
  implicit none
  integer :: rank, ierr, n
  integer, asynchronous :: values(2)
  type(MPI_Request) :: requests(3)

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  values = rank
  requests%mpi_val = 987654
  call mpi_irecv(values(1), 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(1))
  call mpi_isend(values(2), 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, requests(2))
  n = 2
#ifdef WRONG
  call mpi_waitall(2, requests, MPI_STATUSES_IGNORE)
  n = 3
#endif
  call mpi_waitall(n, requests, MPI_STATUSES_IGNORE, ierr) ! FOUND
  call mpi_finalize()
  if (rank == 0 .and. values(1) == 1) print '(a)', 'ok'
end program
