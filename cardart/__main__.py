"""`python -m cardart`: draw pictures for the process that started this one."""

import sys

from cardart.drawing_process import serve

serve(sys.stdin.buffer, sys.stdout.buffer)
