! pair: check=order.no-finalize ranks=2 at=0,1 dies exit=any
program no_finalize
  use mpi_f08
  implicit none
  integer :: rank
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD) ! FOUND
#ifndef WRONG
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'ok'
#endif
end program
