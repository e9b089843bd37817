"""From pictures and texts to vectors, and from vectors to neighbours.

Belongs here: encoders, preprocessing, vector files, the faiss index, spherical k-means, thread settings; the only
room with torch, open_clip and faiss, which are imported inside functions.
Does not belong here: templates, negatives, rankings of a variant, or where a row is stored in the ledger.
"""
