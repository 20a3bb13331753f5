/* Brings facts from one part of a run to another, counts members of collective calls, and gathers all parts at the leader when one of them asks
 * for it (part.h).
 *
 *	struct part_hub *hub = hub_new(&callbacks);
 *	uint32_t number = hub_add_part(hub);
 *	hub_add_process(hub, number, world, rank);     it is of this part
 *	hub_hear(hub, number, kind, &cursor);          a frame of the part
 *	hub_flush(hub);                                facts go to their parts
 *	hub_free(hub); */
#ifndef TARRY_CHECK_PARTS_HUB_H
#define TARRY_CHECK_PARTS_HUB_H

#include "check/parts/part.h"

struct hub_callbacks {
	void *owner;
	void (*tell)(void *owner, uint32_t part, enum message_kind kind, const struct message_writer *body);
	/* All parts have handed over; also after a part that came later. */
	void (*gathered)(void *owner);
};

struct part_hub;

struct part_hub *hub_new(const struct hub_callbacks *callbacks);
void hub_free(struct part_hub *hub);
/* Its number: that of hub_next_part() before. */
uint32_t hub_add_part(struct part_hub *hub);
uint32_t hub_next_part(const struct part_hub *hub);
void hub_remove_part(struct part_hub *hub, uint32_t part);
void hub_add_process(struct part_hub *hub, uint32_t part, uint64_t world, uint32_t rank);
/* FACTS, REACHED, GATHER, WAITS, USES. False: it breaks a rule, or contradicts what other parts have said. */
bool hub_hear(struct part_hub *hub, uint32_t part, enum message_kind kind, struct cursor *in);
void hub_flush(struct part_hub *hub);
/* The leader has to execute all processes. */
void hub_gather(struct part_hub *hub);
/* The same, and nothing is concluded from the silence of processes: a part has stepped aside. */
void hub_lose(struct part_hub *hub);
/* Parts do not execute any more, or will stop soon. */
bool hub_is_gathering(const struct part_hub *hub);
bool hub_has_gathered(const struct part_hub *hub);
/* Processes of a part are not known: it is gone, or does not answer. */
bool hub_has_lost(const struct part_hub *hub);
/* That went through it. */
uint64_t hub_fact_count(const struct part_hub *hub);
/* Every few milliseconds: asks parts who waits if one of them suspects something, and whether anything happens at all. Without any event for
 * `quiet_ms`, the leader has to look at all processes: hangs.c knows what to do. */
void hub_tick(struct part_hub *hub, uint64_t now_ms, uint64_t quiet_ms);

/* hub_waits.c: answers of all parts */
struct wait_answers;

struct wait_answers *wait_answers_new(void);
void wait_answers_free(struct wait_answers *answers);
/* From the world on; false: it is damaged. */
bool wait_answers_add(struct wait_answers *answers, struct cursor *in);
/* Who waits for ever, as far as anybody knows, and where: a hash. 0: nobody. Facts on their way can look like it; they have arrived when all parts are
 * asked again, so then the same processes do not wait in the same place. */
uint64_t wait_answers_knot(struct wait_answers *answers);

#endif
