! pair: check=argument.rank-outside ranks=2 at=0,1
program rank_outside
  use mpi
  implicit none
  integer :: rank, ierr, value, status(MPI_STATUS_SIZE)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  value = rank
#ifdef WRONG
  call mpi_recv(value, 1, MPI_INTEGER, -9, 0, MPI_COMM_WORLD, status, ierr) ! FOUND
#endif
  call mpi_recv(value, 1, MPI_INTEGER, MPI_PROC_NULL, 77, MPI_COMM_WORLD, status, ierr)
  if (status(MPI_SOURCE) /= MPI_PROC_NULL) print *, 'wrong source'
  call mpi_sendrecv_replace(value, 1, MPI_INTEGER, 1 - rank, 0, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. value == 1) print '(a)', 'ok'
end program
