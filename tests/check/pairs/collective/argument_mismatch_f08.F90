! pair: check=collective.argument-mismatch ranks=4 among=2
program argument_mismatch
  use mpi_f08
  implicit none
  integer :: rank, dims(2)
  logical :: periods(2) = .false.
  type(MPI_Comm) :: grid

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  dims = [2, 2]
#ifdef WRONG
  if (rank == 2) dims = [4, 1]
#endif
  call mpi_cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid) ! FOUND
  call mpi_comm_free(grid)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
