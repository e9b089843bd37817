from eval_pipeline.metrics.validation import running


def test_all_four_proofs_run(monkeypatch):
    family = running.trace_family
    monkeypatch.setattr(running, "trace_family", lambda *, seed: family(seed=seed, n_templates=40))
    found = running.validate_measures(n_sets=10, seed=3)
    assert [proof.name for proof in found.proofs] == ["connection", "coverage", "error rate", "audit"]
    assert len(found.family) == 11
    assert found.n_sets == 10
    assert found.holds == all(proof.holds for proof in found.proofs)
