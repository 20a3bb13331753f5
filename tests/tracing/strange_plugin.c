/* Loaded for itself alone, as plugins of interpreters are: nobody else sees the library that it needs. */
#include "strange.h"

int plugin(int n);

int plugin(int n)
{
	return hidden_work(n);
}
