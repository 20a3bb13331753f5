#ifndef NUMBERS_H
#define NUMBERS_H

#ifdef __cplusplus
extern "C" {
#endif

void fill_numbers(int *numbers, int count);
long sum_numbers(const int *numbers, int count);
void send_numbers(int *numbers, int count, int is_wrong);

#ifdef __cplusplus
}
#endif

#endif
