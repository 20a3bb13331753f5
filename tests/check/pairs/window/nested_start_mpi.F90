! pair: check=window.nested-epoch ranks=2 at=0,1
program pair
  use mpi
  implicit none
  integer :: rank, ierr, value, memory(8)
  integer :: win
  integer :: world, group

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 7
  memory = 0
  call mpi_win_create(memory, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr) ! MAY
  call mpi_win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)
  call mpi_comm_group(MPI_COMM_WORLD, world, ierr)
  call mpi_group_incl(world, 1, (/ rank /), group, ierr)
  call mpi_win_lock(MPI_LOCK_SHARED, rank, 0, win, ierr) ! PARTNER
#ifdef WRONG
  call mpi_win_start(group, MPI_MODE_NOCHECK, win, ierr) ! FOUND
#endif
  call mpi_win_unlock(rank, win, ierr)
  call mpi_group_free(group, ierr)
  call mpi_group_free(world, ierr)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
