#include "analysis/model/figures.h"

#include <math.h>

struct efficiency efficiency_of(double processes, double computing_ns, double longest_ns, double length_ns)
{
	struct efficiency efficiency = {.is_known = processes > 0 && longest_ns > 0 && length_ns > 0};

	if (!efficiency.is_known)
		return efficiency;
	efficiency.load_balance = computing_ns / processes / longest_ns;
	efficiency.communication = longest_ns < length_ns ? longest_ns / length_ns : 1;
	efficiency.parallel = efficiency.load_balance * efficiency.communication;
	return efficiency;
}

struct communication_parts communication_parts_of(const struct efficiency *efficiency, int64_t length_ns,
                                                  int64_t ideal_length_ns)
{
	struct communication_parts parts = {.is_known = efficiency->is_known && length_ns > 0 &&
	                                                ideal_length_ns > 0};

	if (parts.is_known) {
		parts.transfer = fmin((double)ideal_length_ns / (double)length_ns, 1);
		parts.serialisation = fmin(efficiency->communication / parts.transfer, 1);
	}
	return parts;
}
