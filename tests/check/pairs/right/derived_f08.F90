! pair: check=none ranks=4
!
! Sections of arrays, derived types and structures in Fortran.
program derived
  use mpi_f08
  implicit none
  type, bind(c) :: particle
    double precision :: place(3)
    integer :: kind
  end type
  type(particle) :: mine, other
  integer :: rank, next, last, matrix(4, 4), i
  type(MPI_Datatype) :: part, row
  type(MPI_Request) :: requests(2)
  type(MPI_Comm) :: ring
  integer(MPI_ADDRESS_KIND) :: base, places(2)

  call mpi_init()
  call mpi_comm_rank(MPI_COMM_WORLD, rank)
  call mpi_cart_create(MPI_COMM_WORLD, 1, [4], [.true.], .false., ring)
  call mpi_cart_shift(ring, 0, 1, last, next)
  call mpi_get_address(mine, base)
  call mpi_get_address(mine%place, places(1))
  call mpi_get_address(mine%kind, places(2))
  call mpi_type_create_struct(2, [3, 1], places - base, [MPI_DOUBLE_PRECISION, MPI_INTEGER], part)
  call mpi_type_commit(part)
  mine%place = rank
  mine%kind = rank
  call mpi_sendrecv(mine, 1, part, next, 0, other, 1, part, last, 0, ring, MPI_STATUS_IGNORE)
  call mpi_type_vector(4, 1, 4, MPI_INTEGER, row)
  call mpi_type_commit(row)
  matrix = rank
  call mpi_irecv(matrix(1, 1), 1, row, last, 1, ring, requests(1))
  call mpi_isend(matrix(2, 1), 1, row, next, 1, ring, requests(2))
  call mpi_waitall(2, requests, MPI_STATUSES_IGNORE)
  call mpi_allreduce(MPI_IN_PLACE, matrix, 16, MPI_INTEGER, MPI_SUM, ring)
  call mpi_type_free(row)
  call mpi_type_free(part)
  call mpi_comm_free(ring)
  i = matrix(1, 4)
  call mpi_finalize()
  if (rank == 0 .and. other%kind == 3 .and. i == 6) print '(a)', 'ok'
end program
