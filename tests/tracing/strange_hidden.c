#include "strange.h"

int hidden_work(int n)
{
	return n + 100;
}
