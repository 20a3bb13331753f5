/* The time stamp counter of x86-64. Many processors, but not all, state its frequency in CPUID leaf 15h. */
#ifndef TARRY_BASE_CLOCK_X86_64_H
#define TARRY_BASE_CLOCK_X86_64_H

#include <cpuid.h>
#include <stdbool.h>
#include <stdint.h>

#define CLOCK_NAME "tsc"
/* A hypervisor may change what CPUID returns. */
#define CLOCK_STATES_TRUTH false

static inline uint64_t clock_ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high)::"memory");
	return (uint64_t)high << 32 | low;
}

/* Counts at one rate in all states of the processor. */
static inline bool clock_is_invariant(void)
{
	uint32_t a = 0, b = 0, c = 0, d = 0;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

static inline uint64_t clock_stated_frequency(void)
{
	uint32_t denominator = 0, numerator = 0, crystal_hz = 0, rest = 0;

	if (!__get_cpuid(0x15, &denominator, &numerator, &crystal_hz, &rest) || !denominator || !crystal_hz)
		return 0;
	return (uint64_t)crystal_hz * numerator / denominator;
}

#endif
