! tarry.f90: name what your program does, and the trace will know it. Compile it with the program:
!
!     use tarry
!     call tarry_phase("time loop")
!     call tarry_region_begin("exchange")
!     call exchange_halo(grid)
!     call tarry_region_end("exchange")
!     call tarry_mark("converged")
!
! What the calls mean is told in tarry.h. Nothing has to be linked; without a recorder they do nothing.
module tarry
  use, intrinsic :: iso_c_binding, only: c_ptr, c_funptr, c_char, c_null_char, c_null_ptr, c_associated, &
                                         c_f_procpointer
  implicit none
  private
  public :: tarry_region_begin, tarry_region_end, tarry_phase, tarry_mark

  abstract interface
    subroutine hook_interface(name) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine hook_interface
  end interface

  interface
    function dlsym(handle, symbol) bind(c, name="dlsym") result(found)
      import :: c_ptr, c_funptr, c_char
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: symbol(*)
      type(c_funptr) :: found
    end function dlsym
  end interface

contains

  subroutine tarry_region_begin(name)
    character(len=*), intent(in) :: name
    procedure(hook_interface), pointer, save :: hook => null()
    logical, save :: sought = .false.
    call tell("tarry_hook_region_begin", name, hook, sought)
  end subroutine tarry_region_begin

  subroutine tarry_region_end(name)
    character(len=*), intent(in) :: name
    procedure(hook_interface), pointer, save :: hook => null()
    logical, save :: sought = .false.
    call tell("tarry_hook_region_end", name, hook, sought)
  end subroutine tarry_region_end

  subroutine tarry_phase(name)
    character(len=*), intent(in) :: name
    procedure(hook_interface), pointer, save :: hook => null()
    logical, save :: sought = .false.
    call tell("tarry_hook_phase", name, hook, sought)
  end subroutine tarry_phase

  subroutine tarry_mark(name)
    character(len=*), intent(in) :: name
    procedure(hook_interface), pointer, save :: hook => null()
    logical, save :: sought = .false.
    call tell("tarry_hook_mark", name, hook, sought)
  end subroutine tarry_mark

  subroutine tell(symbol, name, hook, sought)
    character(len=*), intent(in) :: symbol, name
    procedure(hook_interface), pointer, intent(inout) :: hook
    logical, intent(inout) :: sought
    type(c_funptr) :: found

    if (.not. sought) then
      found = dlsym(c_null_ptr, symbol // c_null_char)
      if (c_associated(found)) call c_f_procpointer(found, hook)
      sought = .true.
    end if
    if (associated(hook)) call hook(trim(name) // c_null_char)
  end subroutine tell

end module tarry
