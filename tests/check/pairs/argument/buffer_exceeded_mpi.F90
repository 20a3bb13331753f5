! pair: check=argument.buffer-exceeded ranks=2 at=0,1
!
! A common block: the count may reach from one of its arrays into the next, but not out of the block.
program buffer_exceeded
  use mpi
  implicit none
  integer :: rank, ierr, amount = 40
  real :: first(20), second(20), sums(60)
  common /edges/ first, second

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  first = 1
  second = 1
#ifdef WRONG
  amount = 60
#endif
  call mpi_allreduce(first, sums, amount, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, ierr) ! FOUND
  call mpi_finalize(ierr)
  if (rank == 0 .and. sums(40) == 2) print '(a)', 'ok'
end program
