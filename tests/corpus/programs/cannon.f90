! corpus: ranks=4
!
! Product of two matrices by Cannon's algorithm, with Fortran's module `mpi`: the ranks are a square with periodic
! borders (Cart_create). After a first alignment, blocks of one matrix go round in rows, those of the other in columns
! (Sendrecv_replace), and each rank multiplies what it has.
!
! Check: rows and columns of the factors are such that every element of the product is known.
module cannon
  use mpi
  implicit none

  integer, parameter :: n = 48

  type :: square
    integer :: comm, side, row, column, left, right, up, down, block
  end type square

contains

  subroutine square_init(s)
    type(square), intent(out) :: s
    integer :: shape(2), size, rank, at(2), ierr

    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    shape = 0
    call MPI_Dims_create(size, 2, shape, ierr)
    if (shape(1) /= shape(2)) call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
    s%side = shape(1)
    s%block = n / s%side
    call MPI_Cart_create(MPI_COMM_WORLD, 2, shape, [.true., .true.], .true., s%comm, ierr)
    call MPI_Comm_rank(s%comm, rank, ierr)
    call MPI_Cart_coords(s%comm, rank, 2, at, ierr)
    s%row = at(1)
    s%column = at(2)
    call MPI_Cart_shift(s%comm, 0, 1, s%up, s%down, ierr)
    call MPI_Cart_shift(s%comm, 1, 1, s%left, s%right, ierr)
  end subroutine square_init

  ! a(i, j) = i + j, b(i, j) = i - j, numbered from 1.
  subroutine fill(s, a, b)
    type(square), intent(in) :: s
    double precision, intent(out) :: a(:, :), b(:, :)
    integer :: i, j

    do j = 1, s%block
      do i = 1, s%block
        a(i, j) = (s%row * s%block + i) + (s%column * s%block + j)
        b(i, j) = (s%row * s%block + i) - (s%column * s%block + j)
      end do
    end do
  end subroutine fill

  ! The element that the product must have: the sum over k of (i + k) (k - j).
  double precision function right_element(i, j)
    integer, intent(in) :: i, j
    double precision :: sum_k, sum_squares

    sum_k = n * (n + 1) / 2
    sum_squares = n * (n + 1) * (2 * n + 1) / 6
    right_element = sum_squares + (i - j) * sum_k - dble(n) * i * j
  end function right_element

  subroutine shift(s, block, to, from, tag)
    type(square), intent(in) :: s
    double precision, intent(inout) :: block(:, :)
    integer, intent(in) :: to, from, tag
    integer :: status(MPI_STATUS_SIZE), ierr

    call MPI_Sendrecv_replace(block, size(block), MPI_DOUBLE_PRECISION, to, tag, from, tag, s%comm, status, ierr)
  end subroutine shift

  subroutine align(s, a, b)
    type(square), intent(in) :: s
    double precision, intent(inout) :: a(:, :), b(:, :)
    integer :: to, from, ierr

    call MPI_Cart_shift(s%comm, 1, -s%row, from, to, ierr)
    call shift(s, a, to, from, 1)
    call MPI_Cart_shift(s%comm, 0, -s%column, from, to, ierr)
    call shift(s, b, to, from, 2)
  end subroutine align

  subroutine multiply(s, a, b, c)
    type(square), intent(in) :: s
    double precision, intent(inout) :: a(:, :), b(:, :)
    double precision, intent(out) :: c(:, :)
    integer :: round

    c = 0
    call align(s, a, b)
    do round = 1, s%side
      c = c + matmul(a, b)
      call shift(s, a, s%left, s%right, 3)
      call shift(s, b, s%up, s%down, 4)
    end do
  end subroutine multiply

  integer function count_wrong(s, c)
    type(square), intent(in) :: s
    double precision, intent(in) :: c(:, :)
    integer :: i, j

    count_wrong = 0
    do j = 1, s%block
      do i = 1, s%block
        if (abs(c(i, j) - right_element(s%row * s%block + i, s%column * s%block + j)) > 1d-6) &
          count_wrong = count_wrong + 1
      end do
    end do
  end function count_wrong
end module cannon

program product_of_matrices
  use mpi
  use cannon
  implicit none

  type(square) :: s
  double precision, allocatable :: a(:, :), b(:, :), c(:, :)
  integer :: wrong, wrong_anywhere, ierr

  call MPI_Init(ierr)
  call square_init(s)
  allocate (a(s%block, s%block), b(s%block, s%block), c(s%block, s%block))
  call fill(s, a, b)
  call multiply(s, a, b, c)
  wrong = count_wrong(s, c)
  call MPI_Reduce(wrong, wrong_anywhere, 1, MPI_INTEGER, MPI_SUM, 0, s%comm, ierr)
  if (s%row == 0 .and. s%column == 0) then
    if (wrong_anywhere == 0) then
      print '(a,i0,a)', 'ok : a product of ', n, ' rows'
    else
      print '(a,i0,a)', 'wrong : ', wrong_anywhere, ' elements'
    end if
  end if
  call MPI_Comm_free(s%comm, ierr)
  call MPI_Finalize(ierr)
end program product_of_matrices
