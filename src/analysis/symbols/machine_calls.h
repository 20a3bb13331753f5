/* Call instructions in a program's code, for the processors of traces. */
#ifndef TARRY_ANALYSIS_SYMBOLS_MACHINE_CALLS_H
#define TARRY_ANALYSIS_SYMBOLS_MACHINE_CALLS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

struct machine_code {
	const uint8_t *bytes;
	uint64_t address; /* of the first byte */
	uint64_t size;
	int machine; /* EM_AARCH64, EM_X86_64 */
};

/* The code of the segment around an address of the module. */
bool machine_code_find(Dwfl_Module *module, uint64_t address, struct machine_code *code);

/* The target of the call instruction before a return address, or the word in memory through which it calls.
 * False: no such instruction. */
bool machine_call_target(const struct machine_code *code, uint64_t return_address, uint64_t *target);

/* The distance between possible starts of instructions. */
uint64_t machine_step(const struct machine_code *code);

#endif
