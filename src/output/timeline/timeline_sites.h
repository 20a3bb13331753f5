/* What hovering over a call shows, and what filters choose by: the calls of a timeline as JSON, each once.
 *
 *	struct site_list sites;
 *	sites_init(&sites, timeline);
 *	number = number_site(&sites, process, call_id);   from 0
 *	add_sites(&out, &sites);                           ,"comms":[…],"sites":[…]
 *	sites_release(&sites); */
#ifndef TARRY_OUTPUT_TIMELINE_TIMELINE_SITES_H
#define TARRY_OUTPUT_TIMELINE_TIMELINE_SITES_H

#include "output/timeline/timeline_parts.h"

struct site_list {
	const struct timeline *timeline;
	struct arena arena;
	struct text_map numbers; /* by their JSON: equal ones of different processes are one */
	ARRAY(const char *) items;
	struct site_numbers {
		uint32_t *items; /* one above the number; 0: not yet asked for */
		size_t count, room;
	} * of_calls;            /* by process and call */
	struct map comm_numbers; /* by identity */
	ARRAY(const struct comm *) comms;
};

void sites_init(struct site_list *sites, const struct timeline *timeline);
void sites_release(struct site_list *sites);
/* Of a communicator, in the list of them; the process has to know it. -1: it does not. */
int64_t number_comm(struct site_list *sites, uint32_t process, uint64_t identity);
uint32_t number_site(struct site_list *sites, uint32_t process, uint32_t call);
void add_sites(struct text *out, const struct site_list *sites);

#endif
