"""Words and colours that the made-up companies are composed of; none is meant to be a real company."""

from dataclasses import dataclass

STEMS = (
    "Halvorsen", "Corvane", "Brightmere", "Ostrander", "Quillfeld", "Tessaly", "Marwick Bay", "Lindqvale",
    "Dunmore Ash", "Pellworth", "Severnside", "Abelard", "Kestrel Row", "Normanby", "Thornquist", "Vellacott",
    "Wexcombe", "Yarrow Hill", "Zelden", "Ironbeck", "Juniper Fold", "Fennimore", "Gatesby", "Harrowgate",
    "Calder Moor", "Ellingham", "Ravensholt", "Stavenger", "Ulverton", "Ambersley", "Birchmont", "Copperfell",
    "Dorrance", "Eastlake", "Farraday", "Glenhaven", "Holmgard", "Ingleby", "Jarrowdale", "Kingsmere",
    "Larkhill", "Midwold", "Northam", "Oakhurst", "Penhallow", "Queensreach", "Rothwell", "Silverdale",
    "Tamarack", "Underhill", "Vantworth", "Westerby", "Yelverton", "Ashgrove", "Blackmoor", "Castleton",
    "Drayford", "Elmswell", "Foxbrook", "Greystoke",
)  # fmt: skip

TRADES: dict[str, tuple[str, str, str, str]] = {
    "Systems": ("Cloud", "Devices", "Licensing", "Services"),
    "Foods": ("Bakery", "Beverages", "Dairy", "Frozen"),
    "Energy": ("Generation", "Networks", "Retail Supply", "Storage"),
    "Health": ("Diagnostics", "Imaging", "Implants", "Pharmacy"),
    "Logistics": ("Air Freight", "Contract Logistics", "Parcel", "Sea Freight"),
    "Materials": ("Coatings", "Polymers", "Resins", "Specialty Glass"),
    "Motion": ("Aftermarket", "Bearings", "Drives", "Sensors"),
    "Retail": ("Apparel", "Grocery", "Home", "Online"),
    "Media": ("Broadcast", "Games", "Publishing", "Streaming"),
    "Marine": ("Ferries", "Ports", "Shipbuilding", "Towage"),
    "Homes": ("Brokerage", "Construction", "Land", "Rentals"),
    "Chemicals": ("Agriculture", "Catalysts", "Fragrances", "Pigments"),
}

FIRST_NAMES = ("Amara", "Benedikt", "Clara", "Dmitri", "Elise", "Farid", "Greta", "Hiroshi", "Ingrid", "Jonas")
LAST_NAMES = ("Okafor", "Lindgren", "Moreau", "Petrov", "Castellan", "Rahimi", "Voss", "Tanaka", "Solberg", "Brandt")
AUDITORS = ("Merrow & Finch LLP", "Tallis Audit LLP", "Greywell Partners LLP", "Osgood Hale LLP")


@dataclass(frozen=True, kw_only=True)
class Palette:
    """Colours of one company, as `#rrggbb`.

    Attributes:
        dark: bands and titles.
        accent: the strongest bar, the line of a chart.
        soft: other bars and tinted rows.
    """

    dark: str
    accent: str
    soft: str


PALETTES = (
    Palette(dark="#17365c", accent="#2f7ed8", soft="#c3d8ef"),
    Palette(dark="#5b1f2e", accent="#c0435a", soft="#efcdd3"),
    Palette(dark="#1d4a36", accent="#3a9a6b", soft="#c9e5d6"),
    Palette(dark="#46307a", accent="#7d5cc6", soft="#d8cef0"),
    Palette(dark="#5a3c12", accent="#d08a24", soft="#f1dfc0"),
    Palette(dark="#0f4a57", accent="#1f9bb3", soft="#c2e3ea"),
    Palette(dark="#3c3f46", accent="#e4572e", soft="#dcdde0"),
    Palette(dark="#6a1b5d", accent="#b7439f", soft="#ebcbe5"),
)
