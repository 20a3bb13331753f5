/* An entry point of libtarry-preload.so on x86-64: a jump to the function that serves the call. Parameters and the
 * return address stay those of the user's call. r10 and r11 hold no parameters. Debuggers and profilers unwind from here by the frame
 * information (.cfi). The note at the end declares that indirect branches lead only to endbr64, and that return addresses are not
 * changed. */

	.macro ENTRY name, slot
	.globl \name
	.type \name, @function
\name:
	endbr64
	movq preload_slots + 8 * \slot(%rip), %r11
	testq %r11, %r11
	jz 1f
	jmp *%r11
1:	movl $\slot, %r10d
	jmp first_call
	.size \name, . - \name
	.endm

	.text
	/* Saves the registers with parameters while C finds the server. */
	.type first_call, @function
first_call:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq %rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq $192, %rsp
	movq %rdi, 0(%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %r8, 32(%rsp)
	movq %r9, 40(%rsp)
	movq %rax, 48(%rsp)
	movups %xmm0, 64(%rsp)
	movups %xmm1, 80(%rsp)
	movups %xmm2, 96(%rsp)
	movups %xmm3, 112(%rsp)
	movups %xmm4, 128(%rsp)
	movups %xmm5, 144(%rsp)
	movups %xmm6, 160(%rsp)
	movups %xmm7, 176(%rsp)
	movl %r10d, %edi
	movq 8(%rbp), %rsi
	call preload_find_server
	movq %rax, %r11
	movups 176(%rsp), %xmm7
	movups 160(%rsp), %xmm6
	movups 144(%rsp), %xmm5
	movups 128(%rsp), %xmm4
	movups 112(%rsp), %xmm3
	movups 96(%rsp), %xmm2
	movups 80(%rsp), %xmm1
	movups 64(%rsp), %xmm0
	movq 48(%rsp), %rax
	movq 40(%rsp), %r9
	movq 32(%rsp), %r8
	movq 24(%rsp), %rcx
	movq 16(%rsp), %rdx
	movq 8(%rsp), %rsi
	movq 0(%rsp), %rdi
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	jmp *%r11
	.cfi_endproc
	.size first_call, . - first_call

	/* Entry points do not use the stack, so all share one description. */
	.cfi_startproc
#include "entries.h"
	.cfi_endproc

	/* Gates (tool_calls.h): 16 bytes per slot, which jump to first_call with GATE in the slot number. */
	.purgem ENTRY
	.macro ENTRY name, slot
	.balign 16
	endbr64
	movl $(\slot + 65536), %r10d
	jmp first_call
	.endm

	.globl preload_gates
	.hidden preload_gates
	.type preload_gates, @function
	.balign 16
	.cfi_startproc
preload_gates:
#include "entries.h"
	.cfi_endproc
	.size preload_gates, . - preload_gates

	.section .note.GNU-stack, "", @progbits

	.section .note.gnu.property, "a"
	.balign 8
	.long 4, 16, 5 /* sizes of name and description; NT_GNU_PROPERTY_TYPE_0 */
	.asciz "GNU"
	.long 0xc0000002, 4, 3, 0 /* GNU_PROPERTY_X86_FEATURE_1_AND: IBT, SHSTK */
