! pair: check=argument.invalid-handle ranks=2 at=1 dies
program invalid_handle
  use mpi
  implicit none
  integer :: rank, ierr, comm

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  comm = MPI_COMM_SELF
#ifdef WRONG
  if (rank == 1) then
    comm = 987654
    call mpi_barrier(comm, ierr) ! FOUND
  end if
#endif
  if (rank == 0) call mpi_barrier(comm, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
