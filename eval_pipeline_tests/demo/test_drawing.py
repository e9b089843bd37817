from itertools import pairwise

import pypdfium2 as pdfium

from eval_pipeline.demo.drawing import LAYOUTS, draw_document
from eval_pipeline.demo.plan import DocumentPlan, PagePlan
from eval_pipeline.demo.world import QUARTERS


def plan_of(company, *layouts):
    pages = tuple(PagePlan(layout=layout, metric="Revenue") for layout in layouts)
    return DocumentPlan(name="x", company=company, quarter=QUARTERS[5], pages=pages)


def test_the_same_plan_gives_the_same_bytes_with_built_in_fonts_only(world):
    plan = plan_of(world.company(1), *LAYOUTS)
    data, truths = draw_document(world, plan, "corpus/x.pdf")
    assert draw_document(world, plan, "corpus/x.pdf") == (data, truths)
    assert b"/Type1" in data
    assert b"/FontFile" not in data
    assert b"FlateDecode" not in data
    assert [truth.page for truth in truths] == list(range(1, len(LAYOUTS) + 1))


def test_no_words_leave_the_page_in_any_house_style(world, tmp_path):
    for number in range(18):
        data, _ = draw_document(world, plan_of(world.company(number), *LAYOUTS), "x.pdf")
        document = pdfium.PdfDocument(data)
        for page in document:
            width, height = page.get_size()
            text = page.get_textpage()
            for place in range(text.count_rects()):
                left, bottom, right, top = text.get_rect(place)
                assert left >= 20
                assert right <= width - 20
                assert bottom >= 15
                assert top <= height - 15


def test_headers_do_not_run_into_titles(world):
    for number in range(18):
        data, _ = draw_document(world, plan_of(world.company(number), *LAYOUTS), "x.pdf")
        for page in pdfium.PdfDocument(data):
            text = page.get_textpage()
            boxes = [text.get_rect(place) for place in range(text.count_rects())]
            for first, second in pairwise(boxes):
                across = min(first[2], second[2]) - max(first[0], second[0])
                down = min(first[3], second[3]) - max(first[1], second[1])
                assert across < 1 or down < 1, (number, first, second)
