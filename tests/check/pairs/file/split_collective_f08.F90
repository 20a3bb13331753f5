! pair: check=file.split-collective ranks=2 at=0,1 dies
program split_collective
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous :: value
  integer(MPI_OFFSET_KIND) :: place
  type(MPI_File) :: file

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  value = rank
  place = 4 * rank
  call mpi_file_open(MPI_COMM_WORLD, 'data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file) ! PARTNER
  call mpi_file_write_at_all_begin(file, place, value, 1, MPI_INTEGER) ! MAY
  call mpi_file_write_at_all_end(file, value, MPI_STATUS_IGNORE) ! MAY
#ifdef WRONG
  call mpi_file_write_at_all_end(file, value, MPI_STATUS_IGNORE) ! FOUND
#endif
  call mpi_file_close(file)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
