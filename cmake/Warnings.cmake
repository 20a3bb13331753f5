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
  -Wno-format-truncation # cutting a text that does not fit is what snprintf is used for
)
if(TARRY_WERROR)
  add_compile_options(-Werror)
endif()
