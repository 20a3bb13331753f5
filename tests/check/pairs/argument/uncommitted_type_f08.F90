! pair: check=argument.uncommitted-type ranks=2 at=0,1
program uncommitted
  use mpi_f08
  implicit none
  integer :: rank, ierr
  double precision :: values(4), received(4)
  type(MPI_Datatype) :: column, twin
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  values = rank
  received = -1
  call mpi_type_vector(2, 1, 2, MPI_DOUBLE_PRECISION, column)
#ifdef WRONG
  call mpi_type_dup(column, twin) ! PARTNER
  call mpi_type_commit(column)
#else
  call mpi_type_commit(column)
  call mpi_type_dup(column, twin)
#endif
  call mpi_isend(values, 1, column, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request)
  call mpi_wait(request, MPI_STATUS_IGNORE)
#ifdef WRONG
  call mpi_bcast(values, 1, twin, 0, MPI_COMM_WORLD, ierr) ! FOUND
#else
  call mpi_bcast(values, 1, twin, 0, MPI_COMM_WORLD, ierr)
#endif
  call mpi_type_free(column)
  call mpi_type_free(twin)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
