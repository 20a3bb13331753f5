# Warnings of all C code, generated code included. The MPI libraries' headers are system headers.

add_compile_options(
  -Wall
  -Wextra
  -Wshadow
  -Wstrict-prototypes
  -Wmissing-prototypes
  -Wold-style-definition
  -Wpointer-arith
  -Wwrite-strings
  -Wundef
  -Wvla
  -Wformat=2
  # Cutting a text that does not fit is what snprintf is used for. Clang does not know this one.
  $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>
)
if(TARRY_WERROR)
  add_compile_options(-Werror)
else()
  # A function that no header declares is missing only when the library is loaded into a job.
  add_compile_options(-Werror=implicit-function-declaration)
endif()
