"""One layout a file: how a kind of page is drawn.

Belongs here: functions `draw_x(sheet, ...)` that put one page on a sheet and note its facts as they print them.
Does not belong here: figures (`world`), choice of pages (`plan`), headers and footers (`styles`).
"""
