#include "analysis/model/relations.h"

#include "analysis/model/operation.h"

void relate(struct reader *reader, const struct corrected_time *time, const struct teller *teller,
            struct replay_counts *counts)
{
	static const struct visitor nobody;
	struct scene scene = {.reader = reader,
	                      .visitor = &nobody,
	                      .teller = teller,
	                      .time = time,
	                      .counts = counts,
	                      .comms = comm_table_new(reader)};
	struct tracking about = {reader, scene.comms, teller, counts};

	scene.tracker_count = trackers_new(&about, scene.trackers);
	scene_play(&scene);
}
