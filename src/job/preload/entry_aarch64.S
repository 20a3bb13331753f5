/* An entry point of libtarry-preload.so on AArch64: a jump to the function that serves the call. Parameters and the
 * return address stay those of the user's call. The ABI leaves x16 and x17 to code between a call and its function. Debuggers and
 * profilers unwind from here by the frame information (.cfi). The note at the end declares that indirect branches lead only to bti. */

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
	/* Saves the registers with parameters while C finds the server. */
	.type first_call, %function
first_call:
	.cfi_startproc
	stp x29, x30, [sp, #-224]!
	.cfi_def_cfa_offset 224
	.cfi_offset x29, -224
	.cfi_offset x30, -216
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
	mov x1, x30
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
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	br x16
	.cfi_endproc
	.size first_call, . - first_call

	/* Entry points do not use the stack, so all share one description. */
	.cfi_startproc
#include "entries.h"
	.cfi_endproc

	/* Gates (tool_calls.h): 16 bytes per slot, which jump to first_call with GATE in the slot number. */
	.purgem ENTRY
	.macro ENTRY name, slot
	hint #34 /* bti c */
	movz w17, #\slot
	movk w17, #1, lsl #16
	b first_call
	.endm

	.globl preload_gates
	.hidden preload_gates
	.type preload_gates, %function
	.balign 16
	.cfi_startproc
preload_gates:
#include "entries.h"
	.cfi_endproc
	.size preload_gates, . - preload_gates

	.section .note.GNU-stack, "", %progbits

	.section .note.gnu.property, "a"
	.balign 8
	.word 4, 16, 5 /* sizes of name and description; NT_GNU_PROPERTY_TYPE_0 */
	.asciz "GNU"
	.word 0xc0000000, 4, 1, 0 /* GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI */
