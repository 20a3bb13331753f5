! pair: check=window.target-not-in-group ranks=2 at=0
program pair
  use mpi_f08
  implicit none
  integer :: rank, ierr, value, memory(8)
  type(MPI_Win) :: win
  type(MPI_Group) :: world, other

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 7
  memory = 0
  call mpi_win_create(memory, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr) ! MAY
  call mpi_win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)
  call mpi_comm_group(MPI_COMM_WORLD, world)
  call mpi_group_incl(world, 1, [1 - rank], other)
  if (rank == 0) then
    call mpi_win_start(other, 0, win) ! PARTNER
#ifdef WRONG
    call mpi_put(value, 1, MPI_INTEGER, 0, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win) ! FOUND
#else
    call mpi_put(value, 1, MPI_INTEGER, 1, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win)
#endif
    call mpi_win_complete(win)
  else
    call mpi_win_post(other, 0, win)
    call mpi_win_wait(win)
  end if
  call mpi_group_free(other)
  call mpi_group_free(world)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
