! pair: check=argument.predefined-freed ranks=2 at=0,1
program predefined_freed
  use mpi_f08
  implicit none
  integer :: rank, ierr
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: handler

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call mpi_comm_get_errhandler(MPI_COMM_WORLD, handler)
  call mpi_errhandler_free(handler)
  op = MPI_MAX
#ifdef WRONG
  call mpi_op_free(op, ierr) ! FOUND
#endif
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
