/* Marks its one region. Without a recorder nothing happens; it only has to be compiled and to run. */
#include <stdio.h>
#include <tarry.h>

int main(void)
{
	tarry_region_begin("work");
	puts("done in C");
	tarry_region_end("work");
	return 0;
}
