! pair: check=file.access-mode ranks=2 at=0,1 dies
!
! MPICH may crash in the call that it rejects.
program access_mode
  use mpi_f08
  implicit none
  integer :: rank, ierr, mode
  type(MPI_File) :: file

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  mode = ior(MPI_MODE_CREATE, MPI_MODE_RDWR)
#ifdef WRONG
  mode = ior(mode, MPI_MODE_SEQUENTIAL)
#else
  mode = ior(mode, MPI_MODE_UNIQUE_OPEN)
#endif
  call mpi_file_open(MPI_COMM_WORLD, 'data', mode, MPI_INFO_NULL, file, ierr) ! FOUND
  if (ierr == MPI_SUCCESS) call mpi_file_close(file)
  call mpi_finalize()
  if (rank == 0) print '(a)', 'ok'
end program
