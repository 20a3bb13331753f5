! pair: check=file.closed-active ranks=2 at=0,1 dies
!
! The wrong program sleeps until the data is written: otherwise MPICH may wait forever for a closed file.
program closed_active
  implicit none
  include 'mpif.h'
  integer :: rank, ierr, file, request
  integer, asynchronous :: value
  integer(MPI_OFFSET_KIND) :: place

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = rank
  place = 4 * rank
  call mpi_file_open(MPI_COMM_WORLD, 'data', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
  call mpi_file_iwrite_at(file, place, value, 1, MPI_INTEGER, request, ierr) ! MAY
#ifdef WRONG
  call sleep(1)
  call mpi_file_close(file, ierr) ! FOUND
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
#else
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  call mpi_file_close(file, ierr)
#endif
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
