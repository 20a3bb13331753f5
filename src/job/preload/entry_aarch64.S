/* An entry point of libtarry-preload.so on AArch64: a jump to whoever serves it, with all parameters as they are and
 * the return address still that of the user's call. x16 and x17 are the linker's to use, so ours. */

	.macro ENTRY name, slot
	.globl \name
	.type \name, %function
\name:
	hint #34 /* bti c */
	adrp x16, preload_slots + 8 * \slot
	ldr x16, [x16, #:lo12:preload_slots + 8 * \slot]
	cbz x16, 1f
	br x16
1:	mov w17, #\slot
	b first_call
	.size \name, . - \name
	.endm

	.text
	/* Keeps the parameters' registers while C finds the server. */
first_call:
	stp x29, x30, [sp, #-224]!
	mov x29, sp
	stp x0, x1, [sp, #16]
	stp x2, x3, [sp, #32]
	stp x4, x5, [sp, #48]
	stp x6, x7, [sp, #64]
	str x8, [sp, #80]
	stp q0, q1, [sp, #96]
	stp q2, q3, [sp, #128]
	stp q4, q5, [sp, #160]
	stp q6, q7, [sp, #192]
	mov w0, w17
	bl preload_find_server
	mov x16, x0
	ldp q6, q7, [sp, #192]
	ldp q4, q5, [sp, #160]
	ldp q2, q3, [sp, #128]
	ldp q0, q1, [sp, #96]
	ldr x8, [sp, #80]
	ldp x6, x7, [sp, #64]
	ldp x4, x5, [sp, #48]
	ldp x2, x3, [sp, #32]
	ldp x0, x1, [sp, #16]
	ldp x29, x30, [sp], #224
	br x16

#include "entries.h"

	.section .note.GNU-stack, "", %progbits
