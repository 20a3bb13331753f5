! pair: check=race.one-sided ranks=2 at=0,1 mpi=openmpi
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
  call mpi_win_lock_all(0, win, ierr)
#ifdef WRONG
  if (rank == 0) call mpi_put(value, 1, MPI_INTEGER, 1, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr) ! FOUND
#endif
  if (rank == 1) call mpi_get(value, 1, MPI_INTEGER, 1, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr) ! PARTNER
  call mpi_win_unlock_all(win, ierr)
  call mpi_barrier(MPI_COMM_WORLD, ierr)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
