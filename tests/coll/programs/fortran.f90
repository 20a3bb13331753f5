! Collective operations of `use mpi`, MPI_IN_PLACE and an error code included.
program collectives
  use mpi
  implicit none
  integer :: rank, size, ierror, i, j, class
  integer :: send(8), receive(512)
  integer(kind=8) :: sum

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  sum = 0
  do i = 1, 30
     send = [(rank * 10 + i + j, j = 1, 8)]
     call MPI_Allgather(send, 8, MPI_INTEGER, receive, 8, MPI_INTEGER, MPI_COMM_WORLD, ierror)
     call add(8 * size)
     call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, 8, MPI_INTEGER, MPI_COMM_WORLD, ierror)
     call add(8 * size)
     receive(1:8) = send
     call MPI_Allreduce(MPI_IN_PLACE, receive, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
     call add(8)
     call MPI_Bcast(receive, 8, MPI_INTEGER, mod(i, size), MPI_COMM_WORLD, ierror)
     call add(8)
     call MPI_Alltoall(send, 1, MPI_INTEGER, receive, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
     call add(size)
     call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end do
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPI_Bcast(receive, -1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  call MPI_Error_class(ierror, class, i)
  print '(a, i0, a, i0, l2)', 'rank ', rank, ': ', sum, class == MPI_ERR_COUNT
  call MPI_Finalize(ierror)

contains
  subroutine add(count)
    integer, intent(in) :: count
    integer :: k
    do k = 1, count
       sum = mod(sum * 31 + receive(k), 1000003_8)
    end do
  end subroutine add
end program collectives
