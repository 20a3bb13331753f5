! pair: check=order.after-finalize ranks=2 at=0,1 dies
program after_finalize
  use mpi_f08
  implicit none
  integer :: rank, members
  logical :: over

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_size(MPI_COMM_WORLD, members)
  call mpi_finalize()
  call mpi_finalized(over)
  if (rank == 0 .and. over) print '(a)', 'ok'
#ifdef WRONG
  call mpi_comm_size(MPI_COMM_WORLD, members) ! FOUND
#endif
end program
