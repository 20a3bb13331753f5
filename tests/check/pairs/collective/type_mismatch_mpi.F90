! pair: check=collective.type-mismatch ranks=2 at=0,1
program type_mismatch
  use mpi
  implicit none
  integer :: rank, ierr, datatype
  double precision :: values(2), got(2)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  values = rank
  datatype = MPI_DOUBLE_PRECISION
#ifdef WRONG
  if (rank == 1) datatype = MPI_INTEGER8
#endif
  call mpi_allreduce(values, got, 2, datatype, MPI_MAX, MPI_COMM_WORLD, ierr) ! FOUND
  call mpi_finalize(ierr)
  if (rank == 0 .and. got(1) == 1) print '(a)', 'ok'
end program
