from eval_pipeline.demo.names import PALETTES, STEMS, TRADES


def test_names_are_told_apart():
    assert len(set(STEMS)) == len(STEMS) == 60
    assert all(len(set(segments)) == 4 for segments in TRADES.values())


def test_no_segment_or_metric_word_is_a_part_of_a_company_name():
    words = {word for stem in STEMS for word in stem.split()} | set(TRADES)
    segments = {segment for segments in TRADES.values() for segment in segments}
    assert not words & segments


def test_palettes_are_hex_colours_and_differ():
    colours = [colour for palette in PALETTES for colour in (palette.dark, palette.accent, palette.soft)]
    assert all(len(colour) == 7 and int(colour[1:], 16) >= 0 for colour in colours)
    assert len({palette.dark for palette in PALETTES}) == len(PALETTES)
