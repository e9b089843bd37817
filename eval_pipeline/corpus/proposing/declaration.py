"""The proposal as text: `eval.yaml` and a first contract, short and with a comment where something was decided."""

from collections.abc import Mapping
from typing import Any

import yaml

from eval_pipeline.corpus.proposing.coverage import Coverage
from eval_pipeline.corpus.proposing.facet_columns import ProposedFacet
from eval_pipeline.corpus.proposing.proposal import Proposal
from eval_pipeline.corpus.proposing.question_tables import ProposedQuestions
from eval_pipeline.foundation.config import CorpusConfig, FacetConfig

_HEAD = """\
# Proposed by 'eval-pipeline init'. Paths are relative to this file; an unknown key is an error that names the nearest.
"""
_TAIL = """\
encoder: {model: "local-dir:models/page-clip"}     # any open_clip name with `pretrained`, or a model directory
templates: {features: [layout], cut: auto, min_members: 2}
"""
_REST = """\
judges:
  text: {type: text-match}

variants:
  image: {type: image}
  text: {type: text}
  hybrid: {type: hybrid, of: [image, text], fusion: {kind: rrf, k: 60}}

labels: {pool_depth: 10, audit_questions: 60}
schedule: {cron: "0 2 * * *", timezone: UTC}
contracts: contracts/*.yaml
"""
_CONTRACT = """\
# A task contract: declared before any run is read. Every key is required.
task: first-look
relation: evidence
query_form: question text
answer_unit: page
questions: {{slice: main}}
judgment: {{grades: [sufficient, supporting, irrelevant], judge: text}}
measures: [top@1, top@5, sufficient@1, sufficient@5, supporting_only@5, neither@5, sufficient_set@5, judged@5]
arenas: [random, siblings, corpus]
depth: 100
limit: 10
policies: {{unjudged: irrelevant, no_relevant: exclude, missing_question: zero, unretrieved: below,
           answerable_distractor: drop}}
slices: [template, axis]
resampling: {{unit: question, level: 0.95, resamples: 2000, seed: 7}}
asked_as: {{clearance: {clearance}, groups: []}}
"""


def spell_declaration(proposal: Proposal) -> str:
    """Text of `eval.yaml`."""
    config = proposal.config
    parts = [
        _HEAD + _spell_corpus(config.corpus),
        _spell_facets(proposal),
        _spell_axes(proposal),
        _TAIL + "negatives: {k: 6, random: 6, min_negatives: 1}     # raise min_negatives once pools are full",
        _spell_questions(proposal.questions),
        _REST,
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def spell_contract(proposal: Proposal) -> str:
    """Text of `contracts/first-look.yaml`: asked with the highest clearance there is."""
    return _CONTRACT.format(clearance=_flow(proposal.config.corpus.access.levels[-1]))


def _flow(value: Any) -> str:
    """A value on one line."""
    text: str = yaml.safe_dump(value, default_flow_style=True, width=10**6, sort_keys=False, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...").strip()


def _spell_corpus(corpus: CorpusConfig) -> str:
    names = ("documents", "metadata", "id", "path", "page", "page_base", "page_id", "resolution_dpi")
    shown = {name: _plain(getattr(corpus, name)) for name in names if getattr(corpus, name) is not None}
    if corpus.page is None:
        shown.pop("page_base")
    lines = [f"  {name}: {_flow(value)}" for name, value in shown.items()]
    if corpus.access.column is not None:
        access = {name: _plain(getattr(corpus.access, name)) for name in ("column", "default", "levels")}
        lines.append(f"  access: {_flow(access)}")
    return "\n".join(["corpus:", *lines])


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _spell_facets(proposal: Proposal) -> str:
    facets = proposal.config.facets
    lines = ["facets:" if facets else "facets: {}", *_spell_found(facets, proposal)]
    for name, facet in proposal.left_out.items():
        tried = proposal.coverage[name]
        lines.append(f"  # {name}: nothing found in {tried.n_total} {tried.of}; edit and uncomment, add it to axes:")
        lines += [f"  # {line}" for line in _spell_facet(name, facet.config)]
    return "\n".join(lines)


def _spell_found(facets: Mapping[str, FacetConfig], proposal: Proposal) -> list[str]:
    lines = []
    for name, config in facets.items():
        lines.append(f"  # {name}: {_say_source(proposal.sources[name], proposal.coverage[name])}")
        lines += [f"  {line}" for line in _spell_facet(name, config)]
    return lines


def _say_source(facet: ProposedFacet, coverage: Coverage) -> str:
    if coverage.n_total == 0:
        return f"{facet.source}; not checked, no page could be read"
    return f"{facet.source}; found for {coverage.n_parsed} of {coverage.n_total} {coverage.of}"


def _spell_facet(name: str, config: FacetConfig) -> list[str]:
    declared = config.model_dump(mode="json", exclude_defaults=True)
    pattern = declared.pop("pattern", None)
    if pattern is None:
        return [f"{name}: {_flow(declared)}"]
    lines = [f"{name}:", *(f"  {key}: {_flow(value)}" for key, value in declared.items()), "  pattern:"]
    return [*lines, *(f"    {key}: {_quote(value)}" for key, value in pattern.items())]


def _quote(pattern: str) -> str:
    """A regular expression between single quotes, in which only the quote itself is special."""
    return "'" + pattern.replace("'", "''") + "'"


def _spell_axes(proposal: Proposal) -> str:
    text = f"axes: {_flow(list(proposal.config.axes))}"
    if not proposal.config.facets:
        return f"{text}     # no facet was found: hard negatives need at least one"
    return f"{text}     # hard negatives differ in one of these and agree in the others"


def _spell_questions(asked: tuple[ProposedQuestions, ...]) -> str:
    lines = ["questions:", "  sample: {per_template: 20, max: 500, seed: 7}", "  writers: [{type: rules}]"]
    usable = [one for one in asked if one.config is not None]
    if usable:
        lines.append("  import:")
    for one in usable:
        assert one.config is not None
        lines.append(f"    # {one.told}{'' if one.is_sure else '; check page_base'}")
        declared = one.config.model_dump(mode="json", exclude_none=True)
        lines.append(f"    - {_flow(declared)}")
    return "\n".join(lines)
