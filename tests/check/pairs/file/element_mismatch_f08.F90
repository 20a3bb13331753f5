! pair: check=file.element-mismatch ranks=2 at=0,1
!
! A view of double precision numbers, into which integers of the same size go.
program main
  use mpi_f08
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  integer(int64) :: numbers(2) = [1_int64, 2_int64]
  double precision :: values(2) = [1d0, 2d0]
  type(MPI_File) :: file
  integer :: rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_File_open(MPI_COMM_WORLD, 'data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file) ! PARTNER
  call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, 'native', MPI_INFO_NULL) ! MAY
  call MPI_File_write_at(file, int(2 * rank, MPI_OFFSET_KIND), values, 2, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE)
#ifdef WRONG
  call MPI_File_write_at(file, int(2 * rank, MPI_OFFSET_KIND), numbers, 2, MPI_INTEGER8, MPI_STATUS_IGNORE) ! FOUND
#endif
  call MPI_File_close(file)
  if (rank == 0 .and. numbers(1) == 1) print '(a)', 'ok'
  call MPI_Finalize()
end program
