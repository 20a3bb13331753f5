! pair: check=window.not-open ranks=2 at=0,1
program pair
  use mpi_f08
  implicit none
  integer :: rank, ierr, value, memory(8)
  type(MPI_Win) :: win

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 7
  memory = 0
  call mpi_win_create(memory, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr) ! MAY
  call mpi_win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)
  call mpi_win_lock(MPI_LOCK_SHARED, 1, 0, win)
  call mpi_win_unlock(1, win)
#ifdef WRONG
  call mpi_win_unlock(1, win) ! FOUND
#endif
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
