! pair: check=leak.communicator ranks=4 at=0,1,2,3
program leak_communicator
  use mpi
  implicit none
  integer :: rank, ierr, grid, row, members

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_cart_create(MPI_COMM_WORLD, 2, [2, 2], [.false., .false.], .true., grid, ierr)
  call mpi_cart_sub(grid, [.true., .false.], row, ierr) ! FOUND
  call mpi_comm_size(row, members, ierr)
  call mpi_comm_free(grid, ierr)
#ifndef WRONG
  call mpi_comm_free(row, ierr)
#endif
  call mpi_finalize(ierr)
  if (rank == 0 .and. members == 2) print '(a)', 'ok'
end program
