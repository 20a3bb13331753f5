! pair: check=memory.receive-read ranks=2 at=0 flags=-fopenmp watched=gcc-O0
!
! Fortran with OpenMP: a thread reads what the master receives, with or without a barrier after MPI_Wait.
program hybrid
  use mpi
  use omp_lib
  implicit none
  integer :: rank, provided, ierr
  integer, save :: values(64), total

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  values = 1
  total = 0
  if (rank == 0) then
    !$omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) call receive()
#ifndef WRONG
    !$omp barrier
#endif
    if (omp_get_thread_num() == 1) total = values(omp_get_num_threads()) ! USED
    !$omp end parallel
  else
    call MPI_Send(values, 64, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Finalize(ierr)
  if (rank == 0 .and. total == 1) print '(a)', 'ok'
contains
  subroutine receive()
    integer :: request

    call MPI_Irecv(values, 64, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr) ! PARTNER
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr) ! FOUND
  end subroutine
end program
