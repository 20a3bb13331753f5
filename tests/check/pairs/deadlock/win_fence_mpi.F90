! pair: check=deadlock.cycle ranks=2 at=0,1
program win_fence
  use mpi
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: win
  integer, asynchronous :: memory(2)
  integer(MPI_ADDRESS_KIND) :: bytes
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  memory = rank
  bytes = 8
  call mpi_win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
#ifdef WRONG
  if (rank == 1) call mpi_barrier(MPI_COMM_WORLD, ierr) ! FOUND
#endif
  call mpi_win_fence(0, win, ierr) ! FOUND
#ifdef WRONG
  if (rank == 0) &
#endif
    call mpi_barrier(MPI_COMM_WORLD, ierr)
  call mpi_win_free(win, ierr)
  good = memory(1) == rank
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program
