! pair: check=window.outside ranks=2 at=0,1 mpi=openmpi
program pair
  use mpi
  implicit none
  integer :: rank, ierr, value, memory(8)
  integer :: win

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 7
  memory = 0
  call mpi_win_create(memory, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr) ! MAY
  call mpi_win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)
  call mpi_win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win, ierr)
#ifdef WRONG
  call mpi_put(memory, 2, MPI_INTEGER, rank, int(3, MPI_ADDRESS_KIND), 2, MPI_INTEGER, win, ierr) ! FOUND
#else
  call mpi_put(memory, 2, MPI_INTEGER, rank, int(2, MPI_ADDRESS_KIND), 2, MPI_INTEGER, win, ierr)
#endif
  call mpi_win_unlock(rank, win, ierr)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
