! pair: check=window.assertion ranks=2 always=--buffers=send at=1
program store
   use mpi_f08
   implicit none
   integer, asynchronous :: memory(4)
   integer :: rank, other, value
   type(MPI_Win) :: win
   type(MPI_Group) :: world, group
   integer(MPI_ADDRESS_KIND) :: bytes, zero = 0

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   memory = 0
   value = 7
   bytes = 16
   call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
   other = 1 - rank
   call MPI_Comm_group(MPI_COMM_WORLD, world)
   call MPI_Group_incl(world, 1, [other], group)
   if (rank == 1) then
      call MPI_Win_post(group, 0, win)
      call MPI_Win_wait(win)
#ifdef WRONG
      memory(2) = 5
      call MPI_F_sync_reg(memory)
#endif
      call MPI_Win_post(group, MPI_MODE_NOSTORE, win) ! FOUND
      call MPI_Win_wait(win)
   else
      call MPI_Win_start(group, 0, win)
      call MPI_Put(value, 1, MPI_INTEGER, 1, zero, 1, MPI_INTEGER, win)
      call MPI_Win_complete(win)
      call MPI_Win_start(group, 0, win)
      call MPI_Put(value, 1, MPI_INTEGER, 1, zero, 1, MPI_INTEGER, win)
      call MPI_Win_complete(win)
   end if
   call MPI_Group_free(group)
   call MPI_Group_free(world)
   call MPI_Win_free(win)
   call MPI_Finalize()
   if (rank == 0) print '(a)', 'ok'
end program
