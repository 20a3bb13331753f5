/* Functions of libupc through which accesses to shared memory reach a tool. Clang UPC gives no file and line for stores and whole
 * structs, so the recorder uses the address to which these functions return. Other runtimes do not have these functions. */
#include "job/gasp/gasp.h"

/* One for each type of data, in relaxed and strict form. */
#define PASSAGES(X) \
	X(pupc_event_startg) \
	X(__putgqi4) \
	X(__putghi4) \
	X(__putgsi4) \
	X(__putgdi4) \
	X(__putgti4) \
	X(__putgsf4) \
	X(__putgdf4) \
	X(__putgtf4) \
	X(__putgxf4) \
	X(__putgblk5) \
	X(__getgblk5) \
	X(__copygblk5) \
	X(__putsgqi4) \
	X(__putsghi4) \
	X(__putsgsi4) \
	X(__putsgdi4) \
	X(__putsgti4) \
	X(__putsgsf4) \
	X(__putsgdf4) \
	X(__putsgtf4) \
	X(__putsgxf4) \
	X(__putsgblk5) \
	X(__getsgblk5) \
	X(__copysgblk5)

#define DECLARE(name) extern void name(void) __attribute__((weak));
PASSAGES(DECLARE)
#undef DECLARE

size_t tarry_upc_passages(uint64_t addresses[UPC_PASSAGES])
{
#define ADDRESS(name) (uint64_t)(uintptr_t) name,
	const uint64_t all[] = {PASSAGES(ADDRESS)};
#undef ADDRESS
	size_t count = 0;

	_Static_assert(sizeof all / sizeof *all <= UPC_PASSAGES, "there is room for all");
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i])
			addresses[count++] = all[i];
	return count;
}
