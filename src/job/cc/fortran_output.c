/* Values that a Fortran program reads and writes by its input and output statements: libgfortran, which
 * is not instrumented, gets their addresses. In a separate file, so that programs without Fortran do
 * not need that library. */
#include "job/cc/runtime.h"

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker names them */

#define TRANSFER(name, is_write, times) \
	void __real__gfortran_transfer_##name(void *statement, void *value, int kind); \
	void __wrap__gfortran_transfer_##name(void *statement, void *value, int kind) \
	{ \
		if (value && kind > 0) \
			access_check((uintptr_t)value, (size_t)kind *(times), is_write, RETURN_ADDRESS); \
		__real__gfortran_transfer_##name(statement, value, kind); \
	}
/* `print` reads a variable, `read` writes it. */
#define TRANSFERS(name, times) \
	TRANSFER(name, true, times) \
	TRANSFER(name##_write, false, times)

TRANSFERS(integer, 1)
TRANSFERS(logical, 1)
TRANSFERS(real, 1)
TRANSFERS(complex, 2)

/* NOLINTEND(bugprone-reserved-identifier) */
