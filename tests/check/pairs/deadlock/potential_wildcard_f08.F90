! pair: check=deadlock.potential-wildcard also=race.message-order ranks=3 among=0,1
program potential_wildcard
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: i
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  if (rank == 0) then
#ifdef WRONG
    call mpi_recv(theirs, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! FOUND FOUND: race.message-order
#else
    call mpi_recv(theirs, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
    call mpi_recv(theirs, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! MAY
  else
    if (rank == 1) call sleep(1)
    call mpi_ssend(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD) ! MAY
  end if
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program
