! pair: check=collective.operation-mismatch ranks=2 at=0,1
program operation_mismatch
  use mpi
  implicit none
  integer :: rank, ierr, op
  double precision :: value, total

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = rank + 1
  op = MPI_MIN
#ifdef WRONG
  if (rank == 1) op = MPI_PROD
#endif
  call mpi_scan(value, total, 1, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, ierr) ! FOUND
  call mpi_finalize(ierr)
  if (rank == 0 .and. total == 1) print '(a)', 'ok'
end program
