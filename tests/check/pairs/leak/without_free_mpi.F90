! pair: check=leak.group also=leak.operation,leak.errhandler,leak.keyval,leak.persistent-request,request.never-started ranks=2 at=0,1
!
! Several kinds of objects that are never freed.
module functions
  implicit none
contains
  subroutine larger(a, b, count, type)
    integer :: count, type, i
    integer :: a(count), b(count)
    do i = 1, count
      b(i) = max(a(i), b(i))
    end do
  end subroutine
  subroutine handle(comm, code)
    integer :: comm, code
  end subroutine
end module

program many
  use mpi
  use functions
  implicit none
  integer :: rank, ierr, group, op, errhandler, keyval, request, memory(4)
  integer(MPI_ADDRESS_KIND) :: extra
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  memory = 0
  extra = 0
  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr) ! FOUND
  call MPI_Op_create(larger, .true., op, ierr) ! FOUND: leak.operation
  call MPI_Comm_create_errhandler(handle, errhandler, ierr) ! FOUND: leak.errhandler
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra, ierr) ! FOUND: leak.keyval
  call MPI_Send_init(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, request, ierr) ! FOUND: leak.persistent-request FOUND: request.never-started
#ifndef WRONG
  call MPI_Start(request, ierr)
  call MPI_Recv(memory, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Group_free(group, ierr)
  call MPI_Op_free(op, ierr)
  call MPI_Errhandler_free(errhandler, ierr)
  call MPI_Comm_free_keyval(keyval, ierr)
  call MPI_Request_free(request, ierr)
#endif
  call MPI_Finalize(ierr)
  if (rank == 0) print '(a)', 'ok'
end program
