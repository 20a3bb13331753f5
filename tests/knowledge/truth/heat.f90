! Heat spreads along a rod that is cut into one piece for each rank. The last rank is slow: it
! sleeps in each step, and the others wait for what comes from there.
!
!     mpirun -n 4 ./heat milliseconds
program heat
  use mpi
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  interface
    function usleep(us) bind(c, name="usleep")
      import :: c_int
      integer(c_int), value :: us
      integer(c_int) :: usleep
    end function usleep
  end interface
  integer, parameter :: cells = 20000, steps = 40
  real(8) :: now(0:cells + 1), next(0:cells + 1), change, largest
  integer :: rank, size, left, right, error, step, lost_ms, ignored, requests(4)
  character(len=16) :: word

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call get_command_argument(1, word)
  read (word, *) lost_ms
  left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  right = merge(rank + 1, MPI_PROC_NULL, rank < size - 1)
  now = 0
  next = 0
  if (rank == 0) now(0) = 100
  do step = 1, steps
    call exchange()
    next(1:cells) = (now(0:cells - 1) + now(2:cells + 1)) / 2
    change = maxval(abs(next(1:cells) - now(1:cells)))
    now(1:cells) = next(1:cells)
    if (rank == size - 1) ignored = usleep(lost_ms * 1000)
    if (mod(step, 10) == 0) call MPI_Allreduce(change, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  end do
  if (rank == 0) print *, 'largest change', largest
  call MPI_Finalize(error)

contains

  subroutine exchange()
    call MPI_Irecv(now(0), 1, MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(now(cells + 1), 1, MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, requests(2), error)
    call MPI_Isend(now(1), 1, MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, requests(3), error) ! from the slow rank on
    call MPI_Isend(now(cells), 1, MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, requests(4), error)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
  end subroutine exchange
end program heat
