! pair: check=argument.unmapped-buffer ranks=2 at=0,1 dies
!
! A pointer to an array that was deallocated. So large an array goes back to the system at once.
program unmapped_buffer
  use mpi
  implicit none
  integer, parameter :: n = 16000000
  integer :: rank, ierr, request
  integer, pointer, contiguous :: array(:), other(:)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  allocate(array(n))
  other => array
#ifdef WRONG
  deallocate(array)
#endif
  call mpi_irecv(other, n, MPI_INTEGER, 1 - rank, 9, MPI_COMM_WORLD, request, ierr) ! FOUND
  call mpi_cancel(request, ierr)
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
#ifndef WRONG
  deallocate(array)
#endif
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
