/* A program without MPI that asks by a weak symbol whether it runs under it: it must hear no, also with the preloaded
 * library, which has the symbol. Exits with 0 if it does. */
#include <stdio.h>

int MPI_Initialized(int *flag) __attribute__((weak));

int main(void)
{
	int flag = 42, code;

	if (!MPI_Initialized) {
		puts("the library is not preloaded");
		return 1;
	}
	code = MPI_Initialized(&flag);
	if (code != 0 || flag != 0)
		printf("MPI_Initialized gives %d and %d\n", code, flag);
	return code != 0 || flag != 0;
}
