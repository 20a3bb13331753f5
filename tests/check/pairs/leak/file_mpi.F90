! pair: check=leak.file ranks=2 at=1 dies
program leak_file
  use mpi
  implicit none
  integer :: rank, ierr, file

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 1) then
    call mpi_file_open(MPI_COMM_SELF, 'data', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, ierr) ! FOUND
    call mpi_file_write(file, rank, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
#ifndef WRONG
    call mpi_file_close(file, ierr)
#endif
  end if
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
