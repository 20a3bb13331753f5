/* Where a process is, from what files and variables say (job/coll/location.h). */
#include "job/coll/location.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef NDEBUG
#include <assert.h>

static struct coll_location read_switches(const char *lines, const char *host)
{
	struct coll_location here = COLL_LOCATION_UNKNOWN;

	location_read_switches(lines, host, &here);
	return here;
}

static void test_switches(void)
{
	static const char lines[] = "n1 top s0\nn10 top s1\nn2.cluster.org top s1\nalone\nlong a b c d e";
	struct coll_location a = read_switches(lines, "n1"), b = read_switches(lines, "n10.elsewhere"),
			     c = read_switches(lines, "n2");

	assert(a.tiers == 2 && b.tiers == 2 && c.tiers == 2);
	assert(a.switches[0] == b.switches[0] && a.switches[1] != b.switches[1]);
	assert(b.switches[1] == c.switches[1]);
	assert(read_switches(lines, "n3").tiers == 0);
	assert(read_switches(lines, "alone").tiers == 0);
	assert(read_switches(lines, "long").tiers == COLL_TIERS_MAX);
	assert(read_switches("", "n1").tiers == 0);
	assert(read_switches("n1", "n1").tiers == 0);
	assert(read_switches("\n\nn1 s", "n1").tiers == 1);
}

static void test_address(void)
{
	struct coll_location a = COLL_LOCATION_UNKNOWN, b = a;

	location_read_address("root.leaf1.n1", &a);
	location_read_address("root.leaf2.n9", &b);
	assert(a.tiers == 2 && b.tiers == 2);
	assert(a.switches[0] == b.switches[0] && a.switches[1] != b.switches[1]);
	location_read_address("n1", &a);
	assert(a.tiers == 0);
	location_read_address("", &a);
	assert(a.tiers == 0);
	location_read_address("1.2.3.4.5.6.n", &a);
	assert(a.tiers == COLL_TIERS_MAX);
}

static void test_socket(void)
{
	unsigned char allowed[16] = {0};

	allowed[5] = allowed[13] = 1;
	assert(location_read_socket("4-7,12-15\n", allowed, 16) == 4);
	assert(location_read_socket("4-7\n", allowed, 16) == -1);
	assert(location_read_socket("0-15", allowed, 16) == 0);
	assert(location_read_socket("5,13", allowed, 16) == 5);
	assert(location_read_socket("nonsense", allowed, 16) == -1);
	assert(location_read_socket("-5-99999999", allowed, 16) == -1);
}

int main(void)
{
	test_switches();
	test_address();
	test_socket();
	assert(location_get() == location_get());
	puts("fine");
	return 0;
}
