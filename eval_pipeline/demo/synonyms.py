"""Other names of the companies, as a table that the facet `entity` reads."""

import csv
import io

from eval_pipeline.demo.plan import DocumentPlan


def write_synonyms(plans: list[DocumentPlan]) -> bytes:
    """CSV `name,synonym`: the trading symbol of each company, UTF-8, lines ended by a line feed."""
    companies = {plan.company.name: plan.company.ticker for plan in plans}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("name", "synonym"))
    writer.writerows(sorted(companies.items()))
    return out.getvalue().encode()
