/* Hexadecimal digits. */
#ifndef TARRY_BASE_HEX_H
#define TARRY_BASE_HEX_H

/* -1: not a digit. */
static inline int hex_digit(char letter)
{
	if (letter >= '0' && letter <= '9')
		return letter - '0';
	if (letter >= 'a' && letter <= 'f')
		return letter - 'a' + 10;
	return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : -1;
}

#endif
