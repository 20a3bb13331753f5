! pair: check=collective.missing-member ranks=2 among=1
program missing_member
  use mpi_f08
  implicit none
  integer :: rank, total

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  total = 0
  call mpi_barrier(MPI_COMM_WORLD)
#ifdef WRONG
  if (rank == 1) then
    call mpi_reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD) ! FOUND
  end if
#else
  call mpi_reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
#endif
  call mpi_finalize()
  if (rank == 0 .and. total == 1) print '(a)', 'ok'
end program
