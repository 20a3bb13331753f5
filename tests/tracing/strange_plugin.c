/* Loaded with RTLD_LOCAL, like plugins of interpreters: no other library sees the library that it needs. */
#include "strange.h"

int plugin(int n);

int plugin(int n)
{
	return hidden_work(n);
}
