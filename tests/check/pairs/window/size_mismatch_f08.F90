! pair: check=window.size-mismatch ranks=2 at=0 dies mpi=openmpi
program size_mismatch
  use mpi_f08
  implicit none
  integer :: rank, n, ierr
  integer, asynchronous :: memory(8), values(8)
  type(MPI_Win) :: win

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  values = rank
  memory = -1
  call mpi_win_create(memory, 32_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call mpi_win_set_errhandler(win, MPI_ERRORS_RETURN)
  n = 4
#ifdef WRONG
  n = 3
#endif
  call mpi_win_fence(0, win)
  if (rank == 0) call mpi_put(values, 4, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, n, MPI_INTEGER, win, ierr) ! FOUND
  call mpi_win_fence(0, win)
  call mpi_win_free(win)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
