/* Shared by export and import of OTF2 archives: Tarry's own data in an archive, and its clock.
 * docs/exchange.md explains names and values. */
#ifndef TARRY_OUTPUT_EXCHANGE_OTF2_COMMON_H
#define TARRY_OUTPUT_EXCHANGE_OTF2_COMMON_H

#include <stdint.h>

#define OTF2_ARCHIVE "traces"
#define OTF2_ANCHOR OTF2_ARCHIVE ".otf2"

/* OTF2_ATTRIBUTE(id, NAME, "name", TYPE, "description") of events. */
#define OTF2_ATTRIBUTES(ATTRIBUTE) \
	ATTRIBUTE(0, CALL, "TARRY::call", STRING, "the call as 'tarry dump' prints it") \
	ATTRIBUTE(1, PLACE, "source", SOURCE_CODE_LOCATION, "where the program makes the call") \
	ATTRIBUTE(2, TICK, "TARRY::tick", UINT64, \
	          "difference of the process's own clock from the line of TARRY::clock, zigzag") \
	ATTRIBUTE(3, POLLS, "TARRY::polls", UINT64, "consecutive calls that completed nothing") \
	ATTRIBUTE(4, BUSY, "TARRY::busy", UINT64, "ticks of these inside the calls") \
	ATTRIBUTE(5, LINE, "TARRY::line", STRING, "a record of the thread as 'tarry dump' prints it") \
	ATTRIBUTE(6, PART, "TARRY::part", UINT8, "1: not an event of the trace, 2: an event of its own") \
	ATTRIBUTE(7, DELAY_BEFORE, "TARRY::stolen_before", UINT64, \
	          "scheduling delay before the call in microseconds") \
	ATTRIBUTE(8, DELAY_INSIDE, "TARRY::stolen_inside", UINT64, \
	          "scheduling delay inside the call in microseconds") \
	ATTRIBUTE(9, BLOCKED_BEFORE, "TARRY::blocked_before", UINT64, \
	          "time blocked in the kernel before the call in microseconds")

enum otf2_attribute {
#define ATTRIBUTE(id, NAME, name, TYPE, description) OTF2_##NAME = id,
	OTF2_ATTRIBUTES(ATTRIBUTE)
#undef ATTRIBUTE
		OTF2_ATTRIBUTE_COUNT,
};

/* OTF2_PART of an enter or a leave that is not half of an event. */
enum { PART_NONE = 1, PART_WHOLE = 2 };

/* Of location groups: the line of the process, and its records in order, "TARRY::0", "TARRY::1", …, in the
 * format of 'tarry dump'. */
#define OTF2_PROPERTY_PROCESS "TARRY::process"
#define OTF2_PROPERTY_RECORD "TARRY::"
/* Of locations: the line of the thread, and two moments on both clocks, "TICK TIME TICK TIME",
 * which define a line. */
#define OTF2_PROPERTY_THREAD "TARRY::thread"
#define OTF2_PROPERTY_CLOCK "TARRY::clock"

enum { OTF2_TICKS_PER_SECOND = 1000000000 };

/* Two moments of a process, on its own clock and on the archive's. */
struct otf2_line {
	uint64_t tick, time;
	uint64_t last_tick, last_time;
};

/* The tick of the line at this time. */
uint64_t otf2_line_tick(const struct otf2_line *line, uint64_t time);

/* Suppresses messages of the library; status codes contain the errors. */
void otf2_drop_messages(void);

#endif
