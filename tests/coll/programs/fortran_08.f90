! Collective operations of `use mpi_f08`: no error argument, and a section with gaps.
program collectives
  use mpi_f08
  implicit none
  integer :: rank, size, i, j
  integer :: send(16), receive(512)
  integer(kind=8) :: sum

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  sum = 0
  do i = 1, 30
     send = [(rank * 10 + i + j, j = 1, 16)]
     call MPI_Allgather(send, 8, MPI_INTEGER, receive, 8, MPI_INTEGER, MPI_COMM_WORLD)
     call add(8 * size)
     if (MPI_SUBARRAYS_SUPPORTED .and. rank == 0) then
        call MPI_Allgather(send(1:16:2), 8, MPI_INTEGER, receive, 8, MPI_INTEGER, MPI_COMM_WORLD)
     else
        call MPI_Allgather(send, 8, MPI_INTEGER, receive, 8, MPI_INTEGER, MPI_COMM_WORLD)
     end if
     call add(8 * size)
     call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, 8, MPI_INTEGER, MPI_COMM_WORLD)
     call add(8 * size)
     receive(1:8) = send(1:8)
     call MPI_Allreduce(MPI_IN_PLACE, receive, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
     call add(8)
     call MPI_Bcast(receive, 8, MPI_INTEGER, mod(i, size), MPI_COMM_WORLD)
     call add(8)
     call MPI_Barrier(MPI_COMM_WORLD)
  end do
  print '(a, i0, a, i0)', 'rank ', rank, ': ', sum
  call MPI_Finalize()

contains
  subroutine add(count)
    integer, intent(in) :: count
    integer :: k
    do k = 1, count
       sum = mod(sum * 31 + receive(k), 1000003_8)
    end do
  end subroutine add
end program collectives
