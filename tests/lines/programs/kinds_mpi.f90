! Calls from module procedures, internal ones and loops, with the interfaces of the module mpi.
module halo
  use mpi
  implicit none
  integer :: values(10) = 0
contains
  subroutine exchange(comm, times)
    integer, intent(in) :: comm, times
    integer :: ierr, i, rank, ranks, status(MPI_STATUS_SIZE)
    double precision :: x, y

    call MPI_Comm_rank(comm, rank, ierr) ! @ exchange
    call MPI_Comm_size(comm, ranks, ierr) ! @ exchange
    call MPI_Barrier(comm, ierr) ! @ exchange
    ! MPI_Barrier in a remark is none
    call MPI_Barrier(comm, ierr) ! @ exchange
    do i = 1, times
      call mpi_barrier(comm, ierr) ! @ exchange x3
      call MPI_Bcast(values, 10, MPI_INTEGER, 0, & ! @ exchange x3
                     comm, ierr)
      if (i > 100) then
        call MPI_Send(values, 10, MPI_INTEGER, rank, 3, comm, ierr)
      else
        call MPI_Sendrecv(values(1), 1, MPI_INTEGER, MPI_PROC_NULL, 1, & ! @ exchange x3
                          ! in between
                          values(2), 1, MPI_INTEGER, MPI_PROC_NULL, 1, &
                          comm, status, ierr)
      end if
    end do
    x = 1
    call MPI_Allreduce(x, y, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm, ierr) ! @ exchange
    call internal(rank)
  contains
    subroutine internal(root)
      integer, intent(in) :: root
      integer :: code

      call MPI_Bcast(values, 2, MPI_INTEGER, root, comm, code) ! @ internal
      call MPI_Barrier(comm, code) ! @ internal
      values(1) = values(1) + 1
    end subroutine
  end subroutine
end module

program kinds
  use halo
  implicit none
  integer :: ierr

  call MPI_Init(ierr) ! @ kinds
  call exchange(MPI_COMM_SELF, 3)
  call MPI_Barrier(MPI_COMM_WORLD, ierr) ! @ kinds
  call MPI_Finalize(ierr) ! @ kinds
end program
