! pair: check=collective.root-mismatch ranks=2 at=0,1
program root_mismatch
  use mpi_f08
  implicit none
  integer :: rank, root, all(2)

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  all = 0
  root = 0
#ifdef WRONG
  root = 1 - rank
#endif
  call mpi_gather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, root, MPI_COMM_WORLD) ! FOUND
  call mpi_finalize()
  if (rank == 0 .and. all(2) == 1) print '(a)', 'ok'
end program
