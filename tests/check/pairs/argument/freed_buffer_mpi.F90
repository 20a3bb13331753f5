! pair: check=argument.freed-buffer ranks=2 at=0,1
!
! Another pointer to the array outlives it.
program freed_buffer
  use mpi
  implicit none
  integer :: rank, ierr
  double precision, pointer :: owner(:), other(:), behind(:)
  double precision :: sums(2000)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  allocate(owner(6000))
  allocate(behind(2000))
  owner = 0
  other => owner(4001:6000)
#ifdef WRONG
  deallocate(owner)
#endif
  call mpi_allreduce(other, sums, 2000, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr) ! FOUND
#ifndef WRONG
  deallocate(owner)
#endif
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
