/* In a shared library. */
#include "numbers.h"

long sum_numbers(const int *numbers, int count)
{
	long sum = 0;

	for (int i = 0; i < count; i++)
		sum += numbers[i];
	return sum;
}
