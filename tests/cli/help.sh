# What a person sees who asks for help, in each way of asking.
try tarry --help
try tarry help run
tarry run --help >by-option
tarry help run >by-command
cmp by-option by-command
tarry -h >by-letter
tarry help >by-word
cmp by-letter by-word
tarry --version | sed 's/[0-9.]*$/VERSION/'
