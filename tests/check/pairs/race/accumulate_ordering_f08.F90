! pair: check=race.accumulate ranks=2 at=0
!
! The order is given up after the window was made.
program pair
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous, save :: memory(8), value
  type(MPI_Win) :: win
  type(MPI_Info) :: info

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  value = 7
  memory = 0
  call mpi_win_create(memory, int(32, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call mpi_info_create(info)
#ifdef WRONG
  call mpi_info_set(info, 'accumulate_ordering', 'rar,raw')
#else
  call mpi_info_set(info, 'accumulate_ordering', 'rar,waw')
#endif
  call mpi_win_set_info(win, info)
  call mpi_info_free(info)
  call mpi_win_fence(0, win)
  if (rank == 0) then
    call mpi_accumulate(value, 1, MPI_INTEGER, 1, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, MPI_REPLACE, win) ! FOUND
    call mpi_accumulate(value, 1, MPI_INTEGER, 1, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, MPI_SUM, win) ! PARTNER
  end if
  call mpi_win_fence(0, win)
  call mpi_win_free(win)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
