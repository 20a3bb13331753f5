/* Thunks on AArch64: x16 and x17 are the linker's to use, so ours. Floating-point registers carry no parameter of
 * an MPI function, and count_call is compiled without them. */
#define SLOTS 640 /* as in count.h */

	.text
	.globl count_thunks, count_thunks_end
	.balign 8
count_thunks:
	.set number, 0
	.rept SLOTS
	mov w16, #number
	b count_and_go
	.set number, number + 1
	.endr
count_thunks_end:

count_and_go:
	stp x29, x30, [sp, #-96]!
	mov x29, sp
	stp x0, x1, [sp, #16]
	stp x2, x3, [sp, #32]
	stp x4, x5, [sp, #48]
	stp x6, x7, [sp, #64]
	str x8, [sp, #80]
	mov w0, w16
	add x1, sp, #16
	add x2, sp, #96
	bl count_call
	mov x16, x0
	ldr x8, [sp, #80]
	ldp x6, x7, [sp, #64]
	ldp x4, x5, [sp, #48]
	ldp x2, x3, [sp, #32]
	ldp x0, x1, [sp, #16]
	ldp x29, x30, [sp], #96
	br x16

	.section .note.GNU-stack, "", %progbits
