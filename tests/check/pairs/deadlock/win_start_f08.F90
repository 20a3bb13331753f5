! pair: check=deadlock.cycle ranks=2 at=0,1
program starts
   use mpi_f08
   implicit none
   integer, asynchronous :: memory(4)
   integer :: rank, other
   type(MPI_Win) :: win
   type(MPI_Group) :: world, group
   integer(MPI_ADDRESS_KIND) :: bytes, zero = 0

   call MPI_Init()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   memory = 0
   bytes = 16
   call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
   other = 1 - rank
   call MPI_Comm_group(MPI_COMM_WORLD, world)
   call MPI_Group_incl(world, 1, [other], group)
   if (rank == 0) then
#ifndef WRONG
      call MPI_Win_post(group, 0, win)
#endif
      call MPI_Barrier(MPI_COMM_WORLD) ! FOUND
#ifdef WRONG
      call MPI_Win_post(group, 0, win)
#endif
      call MPI_Win_wait(win)
   else
      call MPI_Win_start(group, 0, win) ! MAY
      call MPI_Put(rank, 1, MPI_INTEGER, 0, zero, 1, MPI_INTEGER, win) ! MAY
      call MPI_Win_complete(win) ! MAY
      call MPI_Barrier(MPI_COMM_WORLD)
   end if
   call MPI_Group_free(group)
   call MPI_Group_free(world)
   call MPI_Win_free(win)
   call MPI_Finalize()
   if (rank == 0) print '(a)', 'ok'
end program
