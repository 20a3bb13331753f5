! pair: check=race.local-access ranks=2
!
! A persistent send reads the window of rank 1, and rank 0 puts there in the same epoch.
program pair
  use mpi
  implicit none
  integer :: rank, request, ierror, win
  integer, asynchronous, save :: memory(8), values(4), received(4)
  integer(MPI_ADDRESS_KIND) :: place

  call mpi_init(ierror)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierror)
  values = 0 ! as the window: the buffer does not change
  memory = 0
  place = 4
#ifdef WRONG
  place = 3
#endif
  call mpi_win_create(memory, int(32, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
  if (rank == 1) call mpi_send_init(memory, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request, ierror)
  call mpi_win_fence(0, win, ierror)
  if (rank == 0) then
    call mpi_put(values, 4, MPI_INTEGER, 1, place, 4, MPI_INTEGER, win, ierror) ! FOUND
    call mpi_recv(received, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  else
    call mpi_start(request, ierror) ! PARTNER
    call mpi_wait(request, MPI_STATUS_IGNORE, ierror)
    call mpi_request_free(request, ierror)
  end if
  call mpi_win_fence(0, win, ierror)
  call mpi_win_free(win, ierror)
  call mpi_finalize(ierror)
  if (rank == 0) print '(a)', 'ok'
end program
