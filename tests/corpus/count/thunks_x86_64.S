/* Thunks on x86-64: r11 is free between a call and its function. al says how many vector registers a function with
 * variable parameters gets, so rax is kept too. */
#define SLOTS 640 /* as in count.h */

	.text
	.globl count_thunks, count_thunks_end
	.balign 16
count_thunks:
	.set number, 0
	.rept SLOTS
	.balign 16
	mov $number, %r11d
	jmp count_and_go
	.set number, number + 1
	.endr
	.balign 16
count_thunks_end:

count_and_go:
	/* Seven registers and the return address leave the stack aligned for a call. */
	push %rax
	push %r9
	push %r8
	push %rcx
	push %rdx
	push %rsi
	push %rdi
	mov %r11d, %edi
	mov %rsp, %rsi
	lea 64(%rsp), %rdx
	call count_call
	mov %rax, %r11
	pop %rdi
	pop %rsi
	pop %rdx
	pop %rcx
	pop %r8
	pop %r9
	pop %rax
	jmp *%r11

	.section .note.GNU-stack, "", @progbits
