! pair: check=file.type-mismatch ranks=2 at=0,1
!
! A view of double precision numbers, and a single one of half that size.
program type_mismatch
  use mpi
  implicit none
  integer :: rank, ierr, file
  real :: small = 2.5
  double precision :: values(2) = [1d0, 2d0]
  integer(MPI_OFFSET_KIND) :: place

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  place = 16 * rank
  call mpi_file_open(MPI_COMM_WORLD, 'data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr) ! PARTNER
  call mpi_file_set_view(file, place, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, 'native', MPI_INFO_NULL, ierr) ! MAY
  call mpi_file_write_all(file, values, 2, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
  place = 0
#ifdef WRONG
  call mpi_file_write_at(file, place, small, 1, MPI_REAL, MPI_STATUS_IGNORE, ierr) ! FOUND
#else
  call mpi_file_write_at(file, place, dble(small), 1, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, ierr)
#endif
  call mpi_file_close(file, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
