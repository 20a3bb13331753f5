! pair: check=deadlock.finished-process ranks=2 among=0
program finished_ssend
  use mpi_f08
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  if (rank == 0) call mpi_ssend(rank, 1, MPI_INTEGER, 1, 9, MPI_COMM_WORLD) ! FOUND
#ifndef WRONG
  if (rank == 1) call mpi_recv(theirs, 1, MPI_INTEGER, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program
