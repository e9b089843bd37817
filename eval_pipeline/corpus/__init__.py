"""Documents and metadata tables become units with a picture, a text layer, facets and an access level.

Belongs here: scanning for arrivals, reading PDFs, images and tables, cleaning text, normalising facets, quarantine.
Does not belong here: what units look like to a model (`embeddings`), who may ask what (`tasks`), storage of rows.
"""
