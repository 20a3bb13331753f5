! pair: check=deadlock.potential-collective ranks=3 among=0,2 output
program potential_collective
  use mpi
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: shared
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  shared = 3
  if (rank /= 0) shared = 0
#ifdef WRONG
  if (rank == 2) call mpi_recv(theirs, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! FOUND
#endif
  call mpi_bcast(shared, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr) ! FOUND
  if (rank == 0) call mpi_ssend(rank, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, ierr)
#ifndef WRONG
  if (rank == 2) call mpi_recv(theirs, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
#endif
  good = shared == 3
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program
