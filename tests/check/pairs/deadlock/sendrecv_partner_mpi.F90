! pair: check=deadlock.cycle ranks=3 at=0,1,2
program sendrecv_partner
  use mpi
  implicit none
  integer :: rank, ranks, ierr, theirs
  logical :: good
  integer :: left, right, source
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  theirs = -1
  good = .true.
  left = mod(rank + 2, 3)
  right = mod(rank + 1, 3)
  source = left
#ifdef WRONG
  source = right
#endif
  call mpi_sendrecv(rank, 1, MPI_INTEGER, right, 0, theirs, 1, MPI_INTEGER, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! FOUND
  good = theirs == left
  call mpi_finalize(ierr) ! MAY
  if (rank == 0 .and. good) print '(a)', 'ok'
end program
