from eval_pipeline.corpus.raw_json import spell_json


def test_spell_json_sorts_keys_and_keeps_text_byte_for_byte() -> None:
    assert spell_json({"b": "Socie\u0301te\u0301", "a": ["é"]}) == '{"a":["é"],"b":"Socie\u0301te\u0301"}'
