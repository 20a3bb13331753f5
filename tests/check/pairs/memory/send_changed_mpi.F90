! pair: check=memory.send-changed ranks=2 at=0,1 always=--buffers=send
!
! A row of a Fortran array is a vector; other rows may change.
program changed
  use mpi
  implicit none
  integer :: rank, ierr, row, requests(2)
  real(8) :: field(20, 20), ghost(20)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  field = rank
  call mpi_type_vector(20, 1, 20, MPI_DOUBLE_PRECISION, row, ierr)
  call mpi_type_commit(row, ierr)
  call mpi_irecv(ghost, 20, MPI_DOUBLE_PRECISION, 1 - rank, 1, MPI_COMM_WORLD, requests(1), ierr)
  call mpi_isend(field(3, 1), 1, row, 1 - rank, 1, MPI_COMM_WORLD, requests(2), ierr) ! PARTNER
  field(2, :) = 7
  field(4:20, :) = 8
#ifdef WRONG
  field(3, 20) = 9
#endif
  call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, ierr) ! FOUND
  call mpi_type_free(row, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. ghost(1) == 1) print '(a)', 'ok'
end program
