! pair: check=end.abort ranks=2 at=0 exit=any
program aborted
  use mpi
  implicit none
  integer :: rank, ierr

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_barrier(MPI_COMM_WORLD, ierr)
#ifdef WRONG
  if (rank == 0) call mpi_abort(MPI_COMM_WORLD, 7, ierr) ! FOUND
#endif
  call mpi_barrier(MPI_COMM_WORLD, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
