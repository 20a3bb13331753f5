! pair: check=order.init-twice ranks=2 at=0,1 dies
program init_twice
  use mpi
  implicit none
  integer :: rank, ierr, level
  logical :: there

  call mpi_init_thread(MPI_THREAD_FUNNELED, level, ierr) ! MAY
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  there = .true.
  call mpi_initialized(there, ierr)
#ifdef WRONG
  call mpi_init(ierr) ! FOUND
#endif
  call mpi_finalize(ierr)
  if (rank == 0 .and. there .and. level >= MPI_THREAD_FUNNELED) print '(a)', 'ok'
end program
