! pair: check=message.data-changed ranks=2 always=--buffers=all
!
! A faulty layer below MPI_Recv, which receives in another way, changes each message.
module layer
  use, intrinsic :: iso_c_binding
  implicit none

  ! Handles are pointers in one library and integers in the other: both fit.
  interface
    function pmpi_irecv_c(buf, count, type, source, tag, comm, request) bind(C, name="PMPI_Irecv") result(rc)
      import
      type(c_ptr), value :: buf
      integer(c_int), value :: count, source, tag
      integer(c_intptr_t), value :: type, comm
      integer(c_intptr_t) :: request
      integer(c_int) :: rc
    end function
    function pmpi_wait_c(request, status) bind(C, name="PMPI_Wait") result(rc)
      import
      integer(c_intptr_t) :: request
      type(c_ptr), value :: status
      integer(c_int) :: rc
    end function
  end interface

contains

  function faulty_recv(buf, count, type, source, tag, comm, status) bind(C, name="PMPI_Recv") result(rc)
    type(c_ptr), value :: buf, status
    integer(c_int), value :: count, source, tag
    integer(c_intptr_t), value :: type, comm
    integer(c_intptr_t) :: request
    integer(c_int) :: rc
    integer(c_int), pointer :: received(:)

    request = 0
    rc = pmpi_irecv_c(buf, count, type, source, tag, comm, request)
    rc = pmpi_wait_c(request, status)
#ifdef WRONG
    call c_f_pointer(buf, received, [count])
    received(2) = received(2) + 1
#endif
  end function
end module

program data_changed
  use mpi
  use layer
  implicit none
  integer :: rank, ierror, status(MPI_STATUS_SIZE), data(10)

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  data = rank
  if (rank == 0) then
    call MPI_Send(data, 10, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierror) ! FOUND
  else
    call MPI_Recv(data, 10, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status, ierror) ! PARTNER
#ifndef WRONG
    if (any(data /= 0)) print *, "not so"
#endif
  end if
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a)', "ok"
end program
