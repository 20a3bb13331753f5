! pair: check=race.one-sided ranks=3 at=0,1
program pair
  use mpi_f08
  implicit none
  integer :: rank, ierr, value, memory(8)
  type(MPI_Win) :: win
  type(MPI_Request) :: request

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 7
  memory = 0
  call mpi_win_create(memory, int(16, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr) ! MAY
  call mpi_win_lock_all(0, win)
  if (rank == 0) then
    call mpi_rget(value, 1, MPI_INTEGER, 2, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, request) ! FOUND
#ifndef WRONG
    call mpi_wait(request, MPI_STATUS_IGNORE)
#endif
    call mpi_ssend(memory(5), 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
#ifdef WRONG
    call mpi_wait(request, MPI_STATUS_IGNORE)
#endif
  else if (rank == 1) then
    call mpi_recv(memory(5), 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call mpi_put(value, 1, MPI_INTEGER, 2, int(0, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win) ! PARTNER
  end if
  call mpi_win_unlock_all(win)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
