"""Questions: written from one page or brought by people, and whether each is well posed.

Belongs here: writers, sampling of pages, import of people's questions, well-posedness, qualification, the funnel.
Does not belong here: how a judge reads (judging), how questions are answered by retrievers (runs).
"""
