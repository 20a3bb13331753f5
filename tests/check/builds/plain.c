/* In the same shared library, compiled without `tarry cc`. */
#include "numbers.h"

void fill_numbers(int *numbers, int count)
{
	for (int i = 0; i < count; i++)
		numbers[i] = i;
}
