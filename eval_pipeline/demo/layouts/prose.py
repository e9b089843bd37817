"""Pages of words: risk factors, the auditor's review report, signatures."""

from itertools import pairwise

from eval_pipeline.demo.sheet import GREY, Sheet
from eval_pipeline.demo.styles import Body, frame_page

RISKS = (
    ("Demand", "Revenue of the {0} segment depends on orders that customers may postpone or cancel at short notice. "
     "A prolonged fall in demand would lower revenue, operating income and the order backlog."),
    ("Suppliers", "{1} relies on a small number of suppliers. Interrupted deliveries or higher input prices could "
     "raise our cost of revenue faster than we can adjust prices."),
    ("Investment", "Capital expenditure for {2} is committed years before it earns a return. Projects may cost more or "
     "take longer than planned, and acquired businesses may perform below expectations."),
    ("People", "Our results depend on skilled employees. Competition for them has raised selling, general and "
     "administrative expenses and may do so again."),
    ("Systems", "A failure of information systems, whether by accident or by attack, could interrupt {3} and harm "
     "customer retention."),
    ("Currency", "We report in US dollars and earn a part of our income in other currencies; movements in exchange "
     "rates affect the amounts that we report."),
)  # fmt: skip

SPOKEN_OF = ("Revenue", "Operating income", "Order backlog", "Cost of revenue", "Capital expenditure",
             "Selling, general and administrative", "Employees", "Customer retention")  # fmt: skip


def draw_risks(sheet: Sheet) -> None:
    """Six risks; metrics are spoken of and no amount is given."""
    body = frame_page(sheet, title="Risk factors", subtitle="Summary of principal risks")
    y, step = body.top + 8, min(78.0, (body.height - 20) / len(RISKS))
    shift = int(sheet.world.draw(sheet.company, "risks", sheet.quarter.name).number() * len(RISKS))
    for name, words in RISKS[shift:] + RISKS[:shift]:
        sheet.text(body.left, y, name, size=11.5, weight="bold", color=sheet.company.palette.dark)
        filled = words.format(*sheet.company.segments)
        sheet.paragraph(body.left, y + 17, filled, width=body.width, size=10)
        y += step
    for metric in SPOKEN_OF:
        sheet.mention(metric)


def draw_review_report(sheet: Sheet) -> None:
    """What the auditor says about the interim statements."""
    body = frame_page(sheet, title="Review report of the auditor", subtitle=sheet.company.auditor)
    sheet.paragraph(
        body.left,
        body.top + 8,
        f"To the shareholders and the board of directors of {sheet.company.name}",
        width=body.width,
    )
    paragraphs = (
        f"We have reviewed the condensed consolidated financial statements of {sheet.company.name} as of "
        f"{sheet.quarter.end} and for the three months then ended, comprising the statements of income and of cash "
        "flows and the related notes.",
        "A review consists principally of applying analytical procedures and making inquiries of persons responsible "
        "for financial and accounting matters. It is substantially less in scope than an audit, the objective of which "
        "is the expression of an opinion. Accordingly, we do not express such an opinion.",
        "Based on our review, we are not aware of any material modifications that should be made to the accompanying "
        "statements for them to conform with accounting principles generally accepted in the United States.",
    )
    for place, words in enumerate(paragraphs):
        sheet.paragraph(body.left, body.top + 44 + 84 * place, words, width=body.width, size=10.5)
    _draw_signature(sheet, body, body.top + 356, sheet.company.auditor, "Independent registered public accounting firm")


def draw_signatures(sheet: Sheet) -> None:
    """Who signed the report."""
    body = frame_page(sheet, title="Signatures", subtitle="")
    words = (
        "Pursuant to the requirements of the Securities Exchange Act, the registrant has duly caused this report to be "
        "signed on its behalf by the undersigned thereunto duly authorized."
    )
    sheet.paragraph(body.left, body.top + 8, words, width=body.width, size=10.5)
    _draw_signature(sheet, body, body.top + 116, sheet.company.officer, "Chief Financial Officer")
    following = sheet.quarter.back(-1)
    month = ("January", "April", "July", "October")[following.number - 1]
    sheet.text(body.left, body.top + 206, f"Date: {month} 24, {following.year}", size=10)


def _draw_signature(sheet: Sheet, body: Body, y: float, name: str, role: str) -> None:
    x = body.left + 14
    sheet.box(body.left, y - 56, body.width, 104, "#f1f2f4")
    sheet.box(body.left, y - 56, 4, 104, sheet.company.palette.accent)
    draw = sheet.world.draw(sheet.company, "hand", name)
    points = [(x + 13 * step, y - 12 - 20 * draw.number(str(step))) for step in range(11)]
    for (x1, y1), (x2, y2) in pairwise(points):
        sheet.rule(x1 + 6, y1, x2 + 6, y2, color="#24407a", width=1.3)
    sheet.rule(x, y, x + 210, y, color="#8b929c", width=0.7)
    sheet.text(x, y + 16, name, size=11, weight="bold")
    sheet.text(x, y + 30, role, size=9, color=GREY)
