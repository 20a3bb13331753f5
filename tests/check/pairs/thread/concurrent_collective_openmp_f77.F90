! pair: check=thread.concurrent-collective ranks=2 at=0 flags=-fopenmp
!
! Each thread has a communicator of its own, or both threads of rank 0 are in a barrier on the same one.
program concurrent_collective
  use omp_lib, only: omp_get_thread_num
  implicit none
  include 'mpif.h'
  integer :: rank, ierr, provided, nothing(1), comms(0:1)

  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_dup(MPI_COMM_WORLD, comms(0), ierr)
#ifdef WRONG
  comms(1) = comms(0)
#else
  call mpi_comm_dup(MPI_COMM_WORLD, comms(1), ierr)
#endif
  if (rank == 0) then
    !$omp parallel num_threads(3) private(ierr)
    if (omp_get_thread_num() < 2) then
      call mpi_barrier(comms(omp_get_thread_num()), ierr) ! FOUND
    else
      call sleep(1)
      call mpi_send(nothing, 0, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    end if
    !$omp end parallel
  else
    call mpi_recv(nothing, 0, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call mpi_barrier(comms(0), ierr)
    call mpi_barrier(comms(1), ierr)
  end if
#ifndef WRONG
  call mpi_comm_free(comms(1), ierr)
#endif
  call mpi_comm_free(comms(0), ierr)
  call mpi_finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
