! pair: check=race.local-access ranks=2 watched=gcc-O0,gcc-O2
!
! Fortran: rank 1 stores into its window between two fences, where rank 0 puts.
program window_race
  use mpi
  implicit none
  integer :: rank, window, ierr, i
  integer, save :: memory(16)
  integer :: value(1)
  integer(MPI_ADDRESS_KIND) :: bytes, place

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  bytes = 64
  do i = 1, 16
    memory(i) = i
  end do
  value = 7
  call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)
  call MPI_Win_fence(0, window, ierr)
  place = 4
  if (rank == 0) then
    call MPI_Put(value, 1, MPI_INTEGER, 1, place, 1, MPI_INTEGER, window, ierr) ! FOUND
  else
    memory(rank + 5) = 3
#ifdef WRONG
    memory(rank + 4) = 4 ! USED
#endif
  end if
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, window, ierr)
  memory(rank + 4) = 5
  call MPI_Win_free(window, ierr)
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
