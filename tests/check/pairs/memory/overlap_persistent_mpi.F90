! pair: check=memory.overlap ranks=2 at=0,1
!
! A persistent receive is active when its buffer is used for a reduction.
program overlap
  use mpi
  implicit none
  integer :: rank, ierr, request, value(3), total(3)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = rank
  call mpi_recv_init(total, 3, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request, ierr) ! PARTNER
  call mpi_start(request, ierr) ! PARTNER
  call mpi_send(value, 3, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, ierr)
#ifndef WRONG
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
#endif
  call mpi_allreduce(value, total, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr) ! FOUND
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  call mpi_request_free(request, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. total(1) == 1) print '(a)', 'ok'
end program
