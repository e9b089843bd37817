"""Companies and years of pages that an encoder learns from or is tried on; none of them is in any demo corpus."""

TRAINING_STEMS = (
    "Aldersgate", "Barrowmere", "Cinderford", "Dovecote", "Emberton", "Fallowfield", "Grimsworth", "Hazeldene",
    "Istrand", "Jessamy", "Kilnhurst", "Lorimer", "Mossbank", "Netherby", "Orrinsdale", "Pikestone",
    "Quenby", "Ridgewater", "Saltmarsh", "Thistlewood", "Umberleigh", "Varley Cross", "Winterbourne", "Yewdale",
    "Zennor", "Ackroyd", "Bellweather", "Crosswell", "Dunstan Hill", "Everley", "Fairlight", "Gallowgate",
    "Henlow", "Inverdale", "Joyceton", "Keldholm", "Lambourne", "Merridew", "Nantwell", "Oldcastle",
    "Peverell", "Quarrington", "Rowanlea", "Stonebridge", "Trevanion", "Uphaven", "Venn Hollow", "Whitlock",
    "Yardley Green", "Zetland", "Arkwright", "Broadmoor", "Coldstream", "Daneway", "Eskdale", "Fernhurst",
    "Goldacre", "Hindmarsh", "Ivory Point", "Kirkstall", "Langdale", "Mallory", "Newbold", "Osmington",
    "Pendragon", "Redgrave", "Southerby", "Tolland", "Ullswick", "Vickery", "Wolvercote", "Amberjack",
    "Bluestone", "Chesil", "Darnley", "Enfield Row", "Foxglove", "Garrick", "Hollins", "Linton Vale",
)  # fmt: skip
HELD_OUT_STEMS = (
    "Averstone", "Brockwell", "Cardingham", "Dellwood", "Ettrick", "Fosseway", "Glaisdale", "Hurstmere",
    "Ilderton", "Josselyn", "Kenwick", "Lowther", "Monkton Dene", "Norbury", "Ormskerry", "Prestwold",
    "Rainford", "Sandhurst Bay", "Tidewell", "Wycliffe",
)  # fmt: skip

TRAINING_YEARS = tuple(range(2009, 2017))
HELD_OUT_YEARS = (2019, 2020)
"""The demo's reports begin in 2023; their comparative columns and trends reach back to 2021."""
