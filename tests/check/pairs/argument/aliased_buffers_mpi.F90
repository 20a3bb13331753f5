! pair: check=argument.aliased-buffers ranks=2 at=0,1
program aliased
  use mpi
  implicit none
  integer :: rank, ierr
  double precision :: values(6)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  values = rank
  call mpi_allgather(values(1), 2, MPI_DOUBLE_PRECISION, values(3), 2, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
#ifdef WRONG
  call mpi_alltoall(values(1), 1, MPI_DOUBLE_PRECISION, values(1), 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr) ! FOUND
#endif
  call mpi_finalize(ierr)
  if (rank == 0 .and. values(6) == 1) print '(a)', 'ok'
end program
