! pair: check=deadlock.finished-process ranks=3 among=1
program finished_recv
  use mpi
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  if (rank == 1) call mpi_recv(theirs, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! FOUND
#ifndef WRONG
  if (rank == 2) call mpi_send(rank, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
#endif
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program
