! pair: check=message.communicator-mismatch also=leak.request ranks=2 at=0,1
!
! The sender uses a copy of the communicator, the receiver the communicator itself.
program communicator_mismatch
  use mpi
  implicit none
  integer :: rank, ierr, copy, request
  integer, save, asynchronous :: value

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_dup(MPI_COMM_WORLD, copy, ierr)
  value = 8
  if (rank == 0) then
    call mpi_send(value, 1, MPI_INTEGER, 1, 4, copy, ierr) ! FOUND
    call mpi_barrier(MPI_COMM_WORLD, ierr)
  else
#ifdef WRONG
    call mpi_irecv(value, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, request, ierr) ! FOUND FOUND: leak.request
    call mpi_barrier(MPI_COMM_WORLD, ierr)
#else
    call mpi_irecv(value, 1, MPI_INTEGER, 0, 4, copy, request, ierr)
    call mpi_barrier(MPI_COMM_WORLD, ierr)
    call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
#endif
  end if
  call mpi_comm_free(copy, ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
