! pair: check=memory.overlap ranks=2 at=0,1
!
! Whole arrays and their parts, with the interface that takes descriptors where MPI has it.
program overlap
  use mpi_f08
  implicit none
  integer :: rank, size, values(100), sums(100)
  type(MPI_Request) :: requests(2)

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  values = rank
  call mpi_iallreduce(values, sums, 50, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1)) ! PARTNER
#ifdef WRONG
  call mpi_ibcast(sums, 10, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(2)) ! FOUND
#else
  call mpi_ibcast(sums(51), 10, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(2))
#endif
  call mpi_waitall(2, requests, MPI_STATUSES_IGNORE)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
