! The same with the interfaces of the module mpi_f08.
module halo
  use mpi_f08
  implicit none
  integer :: values(10) = 0
contains
  subroutine exchange(comm, times)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: times
    type(MPI_Request) :: request
    integer :: ierr, i, rank, ranks

    call MPI_Comm_rank(comm, rank, ierr) ! @ exchange
    call MPI_Comm_size(comm, ranks) ! @ exchange
    do i = 1, times
      call MPI_Barrier(comm) ! @ exchange x3
      call MPI_Ibarrier(comm, request) ! @ exchange x3
      call MPI_Wait(request, MPI_STATUS_IGNORE) ! @ exchange x3
      if (i > 1) call MPI_Barrier(comm, ierr) ! @ exchange x2
      call MPI_Sendrecv(values(1), 1, MPI_INTEGER, MPI_PROC_NULL, 1, & ! @ exchange x3
                        values(2), 1, MPI_INTEGER, MPI_PROC_NULL, 1, &
                        comm, MPI_STATUS_IGNORE)
    end do
    call &
      MPI_Bcast(values, 10, MPI_INTEGER, rank, comm) ! @ exchange
  end subroutine
end module

program kinds
  use halo
  implicit none

  call MPI_Init() ! @ kinds
  call exchange(MPI_COMM_SELF, 3)
  call MPI_Finalize() ! @ kinds
end program
