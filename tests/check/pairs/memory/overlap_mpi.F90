! pair: check=memory.overlap ranks=2 at=0,1
!
! Columns of a Fortran array are contiguous sections; rows are interleaved vectors.
program overlap
  use mpi
  implicit none
  integer :: rank, ierr, row, requests(4)
  real(8) :: field(0:11, 0:11), ghost(12)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  field = rank
  ghost = rank
  call mpi_type_vector(12, 1, 12, MPI_DOUBLE_PRECISION, row, ierr)
  call mpi_type_commit(row, ierr)
  call mpi_irecv(field(0, 0), 1, row, 1 - rank, 1, MPI_COMM_WORLD, requests(1), ierr) ! PARTNER
#ifdef WRONG
  call mpi_irecv(field(0, 11), 12, MPI_DOUBLE_PRECISION, 1 - rank, 2, MPI_COMM_WORLD, requests(2), ierr) ! FOUND
#else
  call mpi_irecv(field(1, 11), 11, MPI_DOUBLE_PRECISION, 1 - rank, 2, MPI_COMM_WORLD, requests(2), ierr)
#endif
  call mpi_isend(ghost, 12, MPI_DOUBLE_PRECISION, 1 - rank, 1, MPI_COMM_WORLD, requests(3), ierr)
  call mpi_isend(ghost, 11, MPI_DOUBLE_PRECISION, 1 - rank, 2, MPI_COMM_WORLD, requests(4), ierr)
  call mpi_waitall(4, requests, MPI_STATUSES_IGNORE, ierr)
  call mpi_type_free(row, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
