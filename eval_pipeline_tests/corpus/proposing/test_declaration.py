import pytest
import yaml

from eval_pipeline.corpus.proposing.declaration import spell_contract, spell_declaration
from eval_pipeline.corpus.proposing.proposal import propose_project
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.declared import parse_declared
from eval_pipeline.tasks.contracts import parse_contract


def spelled(project):
    proposal = propose_project(project.home)
    text = spell_declaration(proposal)
    return proposal, text, parse_declared(ProjectConfig, yaml.safe_load(text), path="eval.yaml")


@pytest.fixture
def full(reports, manifest):
    reports.put("q.csv", "qid,question,doc,page\n1,What is owed?,ACME_2022_10K,2\n")
    reports.put("odd.csv", 'doc_id,"access",tag\nACME_2022_10K,public,"a: {b}"\nACME_2023_10K,restricted,x\n')
    return reports


def test_the_text_says_what_was_proposed(full):
    proposal, text, declared = spelled(full)
    assert declared.corpus == proposal.config.corpus
    assert declared.facets == proposal.config.facets
    assert declared.axes == proposal.config.axes
    assert declared.questions.imports == proposal.config.questions.imports
    assert "# metric: pattern on page text" in text


def test_patterns_survive_quoting(reports):
    proposal, _, declared = spelled(reports)
    assert declared.facets == proposal.config.facets
    assert "'" in declared.facets["metric"].pattern.text


def test_what_was_left_out_stands_there_as_a_comment(project):
    project.put_pdf("ACME_2022.pdf", "minutes")
    _, text, declared = spelled(project)
    assert "metric" not in declared.facets
    assert "# metric: nothing found in 1 pages read" in text
    lines = text.splitlines()
    place = lines.index(next(line for line in lines if "# metric: nothing found" in line))
    lines[place + 1 :] = [
        line.replace("  # ", "  ", 1) if line.startswith("  # ") else line for line in lines[place + 1 :]
    ]
    assert yaml.safe_load("\n".join(lines))["facets"]["metric"]["pattern"]["text"]


def test_no_facet_at_all_still_loads(project):
    project.put_pdf("minutes.pdf", "what was said")
    _, text, declared = spelled(project)
    assert declared.facets == {}
    assert "facets: {}" in text


def test_the_contract_is_valid_and_asks_with_the_highest_clearance(full):
    contract = parse_contract(yaml.safe_load(spell_contract(propose_project(full.home))), path="first-look.yaml")
    assert contract.task == "first-look"
    assert contract.asked_as.clearance == "restricted"


def test_it_is_short(full):
    _, text, _ = spelled(full)
    assert len(text.splitlines()) < 60
