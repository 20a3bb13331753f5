! pair: check=collective.data-changed ranks=2 always=--buffers=all
!
! A faulty layer below MPI_Bcast, which broadcasts in another way, changes what it receives.
module layer
  use, intrinsic :: iso_c_binding
  implicit none

  integer :: rank

  ! Handles are pointers in one library and integers in the other: both fit.
  interface
    function pmpi_ibcast_c(buf, count, type, root, comm, request) bind(C, name="PMPI_Ibcast") result(rc)
      import
      type(c_ptr), value :: buf
      integer(c_int), value :: count, root
      integer(c_intptr_t), value :: type, comm
      integer(c_intptr_t) :: request
      integer(c_int) :: rc
    end function
    function pmpi_wait_c(request, status) bind(C, name="PMPI_Wait") result(rc)
      import
      integer(c_intptr_t) :: request
      integer(c_intptr_t) :: status(8)
      integer(c_int) :: rc
    end function
  end interface

contains

  function faulty_bcast(buf, count, type, root, comm) bind(C, name="PMPI_Bcast") result(rc)
    type(c_ptr), value :: buf
    integer(c_int), value :: count, root
    integer(c_intptr_t), value :: type, comm
    integer(c_intptr_t) :: request, status(8)
    integer(c_int) :: rc
    integer(c_int), pointer :: received(:)

    request = 0
    rc = pmpi_ibcast_c(buf, count, type, root, comm, request)
    rc = pmpi_wait_c(request, status)
#ifdef WRONG
    if (rank /= root) then
      call c_f_pointer(buf, received, [count])
      received(count) = received(count) + 1
    end if
#endif
  end function
end module

program data_changed
  use mpi
  use layer
  implicit none
  integer :: ierror, data(10)

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  data = rank
  call MPI_Bcast(data, 10, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror) ! FOUND
#ifndef WRONG
  if (any(data /= 0)) print *, "not so"
#endif
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a)', "ok"
end program
