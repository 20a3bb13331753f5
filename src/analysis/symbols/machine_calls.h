/* Call instructions in a program's code, for the processors that traces come from. */
#ifndef TARRY_ANALYSIS_SYMBOLS_MACHINE_CALLS_H
#define TARRY_ANALYSIS_SYMBOLS_MACHINE_CALLS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

struct machine_code {
	const uint8_t *bytes;
	uint64_t address; /* of the first */
	uint64_t size;
	int machine; /* EM_AARCH64, EM_X86_64 */
};

/* The code of the segment around an address of the module. */
bool machine_code_find(Dwfl_Module *module, uint64_t address, struct machine_code *code);

/* What the call instruction before a return address calls, or which word in memory it calls through. False: there is no
 * such instruction. */
bool machine_call_target(const struct machine_code *code, uint64_t return_address, uint64_t *target);

/* From one address to the next at which an instruction may begin. */
uint64_t machine_step(const struct machine_code *code);

#endif
