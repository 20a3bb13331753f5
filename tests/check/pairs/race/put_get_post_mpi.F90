! pair: check=race.one-sided ranks=3 at=0,1
program pair
  use mpi
  implicit none
  integer :: rank, ierr, value
  integer, save :: memory(8)
  integer :: win
  integer :: world, group

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 7
  memory = 0
  call mpi_win_create(memory, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr) ! MAY
  call mpi_win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)
  call mpi_comm_group(MPI_COMM_WORLD, world, ierr)
  if (rank == 2) then
    call mpi_group_incl(world, 2, (/ 0, 1 /), group, ierr)
    call mpi_win_post(group, 0, win, ierr)
    call mpi_win_wait(win, ierr)
  else
    call mpi_group_incl(world, 1, (/ 2 /), group, ierr)
    call mpi_win_start(group, 0, win, ierr)
    if (rank == 0) call mpi_put(value, 1, MPI_INTEGER, 2, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr) ! FOUND
#ifdef WRONG
    if (rank == 1) call mpi_get(value, 1, MPI_INTEGER, 2, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr) ! PARTNER
#else
    if (rank == 1) call mpi_get(value, 1, MPI_INTEGER, 2, int(1, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, ierr)
#endif
    call mpi_win_complete(win, ierr)
  end if
  call mpi_group_free(group, ierr)
  call mpi_group_free(world, ierr)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
