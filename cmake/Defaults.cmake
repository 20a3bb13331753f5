# Settings of all targets, apart from warnings.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Kind of build" FORCE)
endif()
# Asserts stay enabled: they are cheap, and CMake's own default would drop them.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Built files do not contain the build folders: the same sources give the same files anywhere. Of two matching prefixes,
# compilers use the last.
include(CheckCCompilerFlag)
check_c_compiler_flag(-ffile-prefix-map=/a=/b TARRY_HAS_PREFIX_MAP)
if(TARRY_HAS_PREFIX_MAP)
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=./build)
endif()

# The build tree has the same layout as the installation: bin and lib side by side. The program finds its libraries
# relative to itself, so either tree can be moved. No PATH: a relative one on the command line would become absolute.
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
  # 128-bit products with overflow checks are a function of clang's own library.
  add_link_options(-rtlib=compiler-rt -unwindlib=libgcc)
endif()
