! pair: check=argument.communicator-kind ranks=2 at=0,1
program communicator_kind
  use mpi
  implicit none
  integer :: rank, ierr, grid, from, to

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call mpi_cart_create(MPI_COMM_WORLD, 1, [2], [.false.], .false., grid, ierr)
  call mpi_cart_shift(grid, 0, 1, from, to, ierr)
#ifdef WRONG
  call mpi_cart_shift(MPI_COMM_WORLD, 0, 1, from, to, ierr) ! FOUND
#endif
  call mpi_comm_free(grid, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. from == MPI_PROC_NULL .and. to == 1) print '(a)', 'ok'
end program
