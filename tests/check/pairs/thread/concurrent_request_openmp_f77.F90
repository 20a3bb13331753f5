! pair: check=thread.concurrent-request ranks=2 at=0 dies flags=-fopenmp
!
! One thread waits for a request, another asks for the same one.
program concurrent_request
  use omp_lib, only: omp_get_thread_num
  implicit none
  include 'mpif.h'
  integer :: rank, ierr, provided, nothing(1), request
  integer, asynchronous :: value
  logical :: done

  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  value = 2
  if (rank == 0) then
    call mpi_recv_init(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr) ! MAY
    call mpi_start(request, ierr) ! MAY
    !$omp parallel num_threads(2) private(ierr)
    if (omp_get_thread_num() == 0) then
      call mpi_wait(request, MPI_STATUS_IGNORE, ierr) ! MAY
    else
      call sleep(1)
#ifdef WRONG
      call mpi_test(request, done, MPI_STATUS_IGNORE, ierr) ! FOUND
#else
      call mpi_request_get_status(request, done, MPI_STATUS_IGNORE, ierr)
#endif
      call mpi_send(nothing, 0, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
    end if
    !$omp end parallel
    call mpi_request_free(request, ierr)
  else
    call mpi_recv(nothing, 0, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call mpi_send(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  end if
  call mpi_finalize(ierr)
  if (rank == 0 .and. value == 2) print '(a)', 'ok'
end program
