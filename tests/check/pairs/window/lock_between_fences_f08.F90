! pair: check=window.lock-between-fences ranks=2 at=0,1
program pair
  use mpi_f08
  implicit none
  integer :: rank, last
  integer, asynchronous, save :: memory(8), value
  type(MPI_Win) :: win

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  value = 7
  memory = 0
  last = MPI_MODE_NOSUCCEED
#ifdef WRONG
  last = 0
#endif
  call mpi_win_create(memory, int(32, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call mpi_win_fence(0, win)
  call mpi_put(value, 1, MPI_INTEGER, 1 - rank, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win)
  call mpi_win_fence(last, win) ! PARTNER
  call mpi_win_lock_all(0, win) ! PARTNER
  call mpi_win_unlock_all(win)
  call mpi_win_fence(0, win) ! FOUND
  call mpi_win_free(win)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
