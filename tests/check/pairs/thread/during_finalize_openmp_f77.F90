! pair: check=thread.during-finalize ranks=2 at=0,1 flags=-fopenmp
!
! A thread has to leave MPI before another one calls MPI_Finalize.
module slow_sum
  implicit none
  integer, volatile :: is_inside = 0
contains
  subroutine add_slowly(in, sum, count, type)
    integer :: count, type, in(count), sum(count)

    is_inside = 1
    call sleep(3)
    sum = sum + in
  end subroutine
end module

program during_finalize
  use omp_lib, only: omp_get_thread_num
  use slow_sum
  implicit none
  include 'mpif.h'
  integer :: rank, ierr, provided, operation, one, two

  call mpi_init_thread(MPI_THREAD_MULTIPLE, provided, ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_op_create(add_slowly, .true., operation, ierr)
  one = 1
  two = 2
  !$omp parallel num_threads(2) private(ierr)
  if (omp_get_thread_num() == 1) call mpi_reduce_local(one, two, 1, MPI_INTEGER, operation, ierr) ! PARTNER
#ifdef WRONG
  if (omp_get_thread_num() == 0) then
    do while (is_inside == 0)
      call sleep(1)
    end do
    call mpi_op_free(operation, ierr)
    call mpi_finalize(ierr) ! FOUND
  end if
#endif
  !$omp end parallel
#ifndef WRONG
  call mpi_op_free(operation, ierr)
  call mpi_finalize(ierr)
#endif
  if (rank == 0 .and. two == 3) print '(a)', 'ok'
end program
