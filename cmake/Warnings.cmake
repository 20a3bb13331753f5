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
  # snprintf is used to truncate text on purpose. Clang does not know this warning.
  $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation>
)
if(TARRY_WERROR)
  add_compile_options(-Werror)
else()
  # An undeclared function would be noticed only when the library is loaded into a job.
  add_compile_options(-Werror=implicit-function-declaration)
endif()
