/* An ELF note (PT_NOTE) in every program that `tarry upcc` links. It lets the recorder recognize a UPC
 * program before the runtime reports anything. */
#ifndef TARRY_BASE_UPC_PROGRAM_H
#define TARRY_BASE_UPC_PROGRAM_H

#include <stdint.h>

#define UPC_PROGRAM_OWNER "Tarry UPC program"

struct upc_program_note {
	uint32_t owner_bytes, content_bytes, type;
	char owner[(sizeof UPC_PROGRAM_OWNER + 3) / 4 * 4];
};

#define UPC_PROGRAM_NOTE \
	static const struct upc_program_note upc_program_note \
		__attribute__((used, aligned(4), section(".note.tarry"))) = {sizeof UPC_PROGRAM_OWNER, 0, 1, \
	                                                                     UPC_PROGRAM_OWNER};

#endif
