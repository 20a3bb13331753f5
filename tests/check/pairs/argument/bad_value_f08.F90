! pair: check=argument.bad-value ranks=4 at=0,1,2,3
program bad_value
  use mpi_f08
  implicit none
  integer :: rank, ierr, dims(2)
  type(MPI_Comm) :: grid

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  dims = [0, 0]
  call mpi_dims_create(4, 2, dims)
  ! A grid may be smaller than the communicator; then some have no part in it.
  call mpi_cart_create(MPI_COMM_WORLD, 2, [3, 1], [.false., .true.], .false., grid)
  if (grid /= MPI_COMM_NULL) call mpi_comm_free(grid)
#ifdef WRONG
  call mpi_cart_create(MPI_COMM_WORLD, 2, [3, 2], [.false., .true.], .false., grid, ierr) ! FOUND
#endif
  call mpi_finalize()
  if (rank == 0 .and. all(dims == [2, 2])) print '(a)', 'ok'
end program
