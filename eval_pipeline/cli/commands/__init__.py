"""One module per command.

Belongs here: call, print, exit. Does not belong here: anything a program would want to call.
"""
