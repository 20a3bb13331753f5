! pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
program changed
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank
  integer, asynchronous :: mine(4), memory(4)
  type(MPI_Win) :: win

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  mine = rank
  memory = -1
  call mpi_win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call mpi_win_fence(0, win)
  call mpi_put(mine, 4, MPI_INTEGER, 1 - rank, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win) ! PARTNER
#ifdef WRONG
  mine(2) = 7
#endif
  call mpi_win_fence(0, win) ! FOUND
  mine = 7
  call mpi_win_free(win)
  call mpi_finalize()
  if (rank == 0 .and. memory(1) == 1) print '(a)', 'ok'
end program
