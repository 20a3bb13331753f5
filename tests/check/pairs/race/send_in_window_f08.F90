! pair: check=race.local-access ranks=2
!
! A broadcast reads the window of rank 1, and rank 0 puts there in the same epoch.
program pair
  use mpi_f08
  implicit none
  integer :: rank, place
  integer, asynchronous, save :: memory(8), values(4)
  type(MPI_Win) :: win

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  values = 7
  memory = 0
  place = 4
#ifdef WRONG
  place = 0
#endif
  call mpi_win_create(memory, int(32, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call mpi_win_fence(0, win)
  if (rank == 0) then
    call mpi_put(values, 4, MPI_INTEGER, 1, int(place, MPI_ADDRESS_KIND), 4, MPI_INTEGER, win) ! FOUND
    call mpi_bcast(memory, 4, MPI_INTEGER, 1, MPI_COMM_WORLD)
  else
    call mpi_bcast(memory, 4, MPI_INTEGER, 1, MPI_COMM_WORLD) ! PARTNER
  end if
  call mpi_win_fence(0, win)
  call mpi_win_free(win)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
