# What every target of Tarry shares, apart from warnings.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Kind of build" FORCE)
endif()
# Asserts stay in: they are cheap where they stand, and CMake's own default would drop them.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# What is built does not hold the folders in which it was built: the same sources give the same files anywhere. Of two that
# fit, compilers take the last.
include(CheckCCompilerFlag)
check_c_compiler_flag(-ffile-prefix-map=/a=/b TARRY_HAS_PREFIX_MAP)
if(TARRY_HAS_PREFIX_MAP)
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=./build)
endif()

# The same shape in the build tree and where it is installed: bin and lib side by side. The program finds its
# libraries relative to itself, so either tree can be moved.
# No PATH: a relative one on the command line would become absolute.
set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "Folder of libraries under the prefix")
include(GNUInstallDirs)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/archives)

if(TARRY_SANITIZE)
  add_compile_options(-fsanitize=${TARRY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TARRY_SANITIZE})
endif()
if(TARRY_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  # Products of 128 bits that are checked for overflow are a function of clang's own library.
  add_link_options(-rtlib=compiler-rt -unwindlib=libgcc)
endif()
