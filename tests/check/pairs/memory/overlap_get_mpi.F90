! pair: check=memory.overlap ranks=2 at=0,1
!
! The data of MPI_Get has arrived when the epoch ends, not before. The window is large because MPICH 4.0.2 over UCX mixes up small arrays.
program overlap
  use mpi
  implicit none
  integer :: rank, ierr, win, request, values(4), memory(1024), other(4)

  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  memory = rank
  call mpi_win_create(memory, 4096_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call mpi_win_fence(0, win, ierr)
  call mpi_get(values, 4, MPI_INTEGER, 1 - rank, 8_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win, ierr) ! PARTNER
#ifndef WRONG
  call mpi_win_fence(0, win, ierr)
#endif
  call mpi_isend(values, 4, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request, ierr) ! FOUND
  call mpi_recv(other, 4, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  call mpi_win_fence(0, win, ierr)
  call mpi_win_free(win, ierr)
  call mpi_finalize(ierr)
  if (rank == 0 .and. values(1) == 1) print '(a)', 'ok'
end program
