! pair: check=leak.window ranks=2 at=0,1 dies
program leak_window
  use, intrinsic :: iso_c_binding, only: c_ptr
  use mpi_f08
  implicit none
  integer :: rank
  type(MPI_Win) :: win
  type(c_ptr) :: memory

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, win) ! FOUND
  call mpi_win_fence(0, win)
  call mpi_win_fence(0, win)
#ifndef WRONG
  call mpi_win_free(win)
#endif
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
