! pair: check=argument.status-ignore ranks=2 at=0,1 dies
program status_ignore
  use mpi_f08
  implicit none
  integer :: rank, value, n, ierr
  type(MPI_Status) :: status

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call mpi_sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 0, value, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, status)
#ifdef WRONG
  call mpi_get_elements(MPI_STATUS_IGNORE, MPI_INTEGER, n, ierr) ! FOUND
#else
  call mpi_get_elements(status, MPI_INTEGER, n, ierr)
#endif
  call mpi_finalize()
  if (rank == 0 .and. n == 1) print '(a)', 'ok'
end program
