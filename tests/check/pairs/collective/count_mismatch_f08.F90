! pair: check=collective.count-mismatch ranks=2 at=0,1 dies
program count_mismatch
  use mpi_f08
  implicit none
  integer :: rank, ierr, count
  integer, asynchronous :: values(4), all(8)
  type(MPI_Request) :: request

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  values = rank
  all = -1
  count = 2
#ifdef WRONG
  if (rank == 1) count = 1
#endif
  call mpi_igather(values, count, MPI_INTEGER, all, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, request, ierr) ! FOUND
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  call mpi_finalize()
  if (rank == 0 .and. all(4) == 1) print '(a)', 'ok'
end program
