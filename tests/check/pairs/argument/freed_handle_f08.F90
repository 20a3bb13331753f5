! pair: check=argument.freed-handle ranks=2 at=0,1 dies
module operations
  use mpi_f08
  implicit none
contains
  subroutine add(a, b, length, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: a, b
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: x(:), y(:)

    call c_f_pointer(a, x, [length])
    call c_f_pointer(b, y, [length])
    if (datatype == MPI_INTEGER) y = x + y
  end subroutine
end module

program freed_handle
  use mpi_f08
  use operations
  implicit none
  integer :: rank, ierr, sum
  type(MPI_Op) :: op, copy

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call mpi_op_create(add, .true., op) ! PARTNER
  copy = op
  call mpi_allreduce(rank, sum, 1, MPI_INTEGER, copy, MPI_COMM_WORLD)
  call mpi_op_free(op) ! PARTNER
#ifdef WRONG
  call mpi_allreduce(rank, sum, 1, MPI_INTEGER, copy, MPI_COMM_WORLD, ierr) ! FOUND
#endif
  call mpi_finalize(ierr)
  if (rank == 0 .and. sum == 1) print '(a)', 'ok'
end program
