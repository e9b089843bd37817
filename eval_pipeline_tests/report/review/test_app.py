import re
from importlib import resources

import pytest

from eval_pipeline.foundation.errors import LedgerDamaged
from eval_pipeline_tests.report.review.conftest import PORT, SECRET, UNITS, URL

PAIR = {"question_id": "q1", "unit_id": "unit_a", "reviewer": "ann", "queue": "audit"}


def state_of(client, pair="q1/unit_a"):
    return re.search(r'data-state="([^"]*)"', client.get(f"/pair/{pair}").text)[1]


def decide(client, grade="sufficient", **changes):
    given = {**PAIR, "grade": grade, **changes}
    given.setdefault("state", state_of(client, f"{given['question_id']}/{given['unit_id']}"))
    return client.post("/decide", json=given)


def test_the_name_is_asked_once_and_leads_on_to_where_one_wanted_to_go(browse):
    client = browse(None)
    asked = client.get("/pair/q1/unit_a?queue=audit")
    assert 'value="/pair/q1/unit_a?queue=audit"' in asked.text
    answer = client.post("/name", data={"reviewer": " Ann  Ö ", "next": "/pair/q1/unit_a"}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/pair/q1/unit_a")
    assert 'data-reviewer="Ann Ö"' in client.get("/pair/q1/unit_a").text


@pytest.mark.parametrize("elsewhere", ["http://evil.example/", "//evil.example", "/\\evil.example", "x", "/a\r\nb: c"])
def test_a_name_leads_nowhere_else(browse, elsewhere):
    answer = browse(None).post("/name", data={"reviewer": "ann", "next": elsewhere}, follow_redirects=False)
    assert answer.headers["location"] == "/"


def test_a_pair_shows_question_grades_and_text_escaped_and_nothing_of_the_model(browse):
    page = browse().get("/pair/q1/unit_a?queue=audit")
    assert page.status_code == 200
    assert "What was &lt;revenue&gt; &amp; more?" in page.text
    assert "text of unit_a" in page.text
    assert "a competent reader could derive the answer" in page.text
    assert SECRET not in page.text
    assert "supporting</strong>. " not in page.text


def test_three_answers_later_the_queue_says_that_nothing_is_left(browse, memory):
    client = browse()
    for grade in ("sufficient", "supporting", "irrelevant"):
        page = client.get("/queue/audit")
        found = re.search(r'data-question="([^"]+)" data-unit="([^"]+)" data-state="([^"]*)"', page.text)
        told = client.post(
            "/decide", json={**PAIR, "question_id": found[1], "unit_id": found[2], "state": found[3], "grade": grade}
        ).json()
        assert told["next"] == "/queue/audit"
    assert "Nothing is left for you in this queue" in client.get("/queue/audit").text
    assert memory.labels.height == 3


def test_the_models_answer_comes_after_the_decision_and_not_before(browse):
    client = browse()
    early = client.post("/reveal", json=PAIR)
    assert (early.status_code, SECRET in early.text) == (400, False)
    decide(client)
    assert SECRET not in client.get("/pair/q1/unit_a").text
    assert client.post("/reveal", json=PAIR).json()["answers"] == [
        {"judge": "text", "verb": "label", "outcome": "supporting", "reason": SECRET}
    ]
    assert SECRET in client.get("/pair/q1/unit_a").text


def test_no_address_tells_the_models_answer_to_who_has_not_decided(browse):
    client = browse()
    for address in ("/", "/queue/priority", "/question/q1", "/question/q2", "/pair/q2/unit_d", "/history"):
        page = client.get(address)
        assert page.status_code == 200
        assert SECRET not in page.text
        assert "between sufficient and supporting" not in page.text.replace("the line between sufficient and", "")


def test_without_blind_the_answer_and_the_urgency_stand_there(browse, make_desk):
    page = browse(on=make_desk(is_blind=False)).get("/pair/q2/unit_d?queue=priority")
    assert SECRET in page.text
    assert "between sufficient and supporting" in page.text


def test_lab_03_two_browsers_one_pair(browse, memory):
    ann, ben = browse("ann"), browse("ben")
    sees = {"ann": state_of(ann), "ben": state_of(ben)}
    assert decide(ann, state=sees["ann"]).json()["changed_by"] == []
    told = decide(ben, "irrelevant", reviewer="ben", state=sees["ben"]).json()
    (changed,) = told["changed_by"]
    assert (changed["author"], changed["grade"], changed["kind"]) == ("ann", "sufficient", "person")
    assert changed["when"].endswith("UTC")
    assert told["is_contested"]
    double = decide(ben, "irrelevant", reviewer="ben", state=sees["ben"]).json()
    assert (double["is_new"], double["label_id"]) == (False, told["label_id"])
    back = decide(ann, state=sees["ann"]).json()
    assert not back["is_new"]
    history = ben.get("/history").text
    assert "ann, person" in history
    assert "ben, person" in history
    assert memory.labels.height == 2


def test_undo_leaves_both_rows_and_leads_back_to_the_pair(browse, memory):
    client = browse()
    label_id = decide(client).json()["label_id"]
    told = client.post("/undo", json={"reviewer": "ann", "label_id": label_id, "queue": "audit"}).json()
    assert (told["next"], told["is_new"]) == ("/pair/q1/unit_a?queue=audit", True)
    again = client.post("/undo", json={"reviewer": "ann", "label_id": label_id}).json()
    assert not again["is_new"]
    assert sorted(str(grade) for grade in memory.labels["grade"]) == ["None", "sufficient"]
    assert "taken back" in client.get("/history").text


def test_a_busy_ledger_is_503_in_words_and_nothing_is_recorded(browse, memory):
    client = browse()
    sees = state_of(client)
    memory.is_busy = True
    answer = decide(client, state=sees)
    assert (answer.status_code, answer.json()["is_kept"]) == (503, True)
    assert "held by process 7" in answer.json()["error"]
    assert "Another process holds the ledger" in client.get("/").text
    assert memory.labels.is_empty()
    memory.is_busy = False
    assert decide(client, state=sees).json()["is_new"]


def test_a_broken_ledger_is_told_in_words_and_the_page_keeps_its_decision(browse, memory, monkeypatch):
    client = browse()
    sees = state_of(client)

    def fail(*_: object) -> None:
        message = "ledger.duckdb cannot be read; run 'eval-pipeline doctor --repair'"
        raise LedgerDamaged(message)

    monkeypatch.setattr(memory, "record_label", fail)
    answer = decide(client, state=sees)
    assert (answer.status_code, answer.json()["is_kept"]) == (500, True)
    assert "doctor --repair" in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "given", "status"),
    [
        ("/decide", {**PAIR, "grade": "good", "state": ""}, 400),
        ("/decide", {**PAIR, "grade": "sufficient", "state": "", "reviewer": ""}, 400),
        ("/decide", {**PAIR, "grade": "sufficient", "state": "", "unit_id": "unit_9"}, 404),
        ("/decide", {**PAIR, "grade": ["sufficient"], "state": ""}, 400),
        ("/skip", {**PAIR, "question_id": "q9"}, 404),
        ("/undo", {"reviewer": "ann", "label_id": "lbl_9"}, 404),
        ("/decide", [], 400),
    ],
)
def test_what_is_wrong_is_told_and_records_nothing(browse, memory, path, given, status):
    answer = browse().post(path, json=given)
    assert answer.status_code == status
    assert answer.json()["error"]
    assert not answer.json()["is_kept"]
    assert memory.labels.is_empty()


def test_pages_elsewhere_may_not_post_and_other_hosts_may_not_read(browse, memory):
    client = browse()
    sees = state_of(client)
    for headers in ({"origin": "http://evil.example"}, {"origin": ""}, {"host": "evil.example"}):
        answer = client.post("/decide", json={**PAIR, "grade": "sufficient", "state": sees}, headers=headers)
        assert answer.status_code == 403
    assert client.get("/pair/q1/unit_a", headers={"host": f"evil.example:{PORT}"}).status_code == 403
    assert client.get("/picture/unit_a", headers={"host": "evil.example"}).status_code == 403
    assert memory.labels.is_empty()


def test_nothing_comes_from_elsewhere_and_no_script_stands_in_a_page(browse):
    client = browse()
    page = client.get("/pair/q1/unit_a?queue=audit")
    assert page.headers["content-security-policy"].startswith("default-src 'self'")
    assert re.findall(r'(?:src|href)="(?!/|#|data:)([^"]*)"', page.text) == []
    assert re.findall(r"<script(?![^>]*src=)|\son\w+=|style=", page.text) == []
    for name in ("review.js", "review.css"):
        text = client.get(f"/static/{name}")
        assert text.status_code == 200
        assert "http" not in text.text.replace(URL, "")


@pytest.mark.parametrize(
    "address",
    [
        "/picture/unit_9",
        "/picture/..%2F..%2Feval.yaml",
        "/picture/../../eval.yaml",
        "/picture/%2Fetc%2Fpasswd",
        "/document/unit_9",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/pair/q9/unit_a",
        "/question/q9",
        "/receipt/rcp_9",
        "/label/lbl_9",
        "/queue/other",
    ],
)
def test_only_what_is_up_for_review_is_served(browse, address):
    assert browse().get(address).status_code == 404


def test_pictures_and_documents_are_served_by_unit_id(browse, basis):
    client = browse()
    for unit_id in UNITS:
        picture = client.get(f"/picture/{unit_id}")
        assert (picture.headers["content-type"], picture.content) == (
            "image/webp",
            basis.pages[unit_id].picture.read_bytes(),
        )
        assert client.get(f"/document/{unit_id}").content == b"%PDF-" + unit_id.encode()


def test_lab_05_files_of_any_name_show_their_picture_and_open(case_files, make_desk, memory, browse):
    """Pictures and files are asked for by unit id, so no letter of a name stands in an address."""
    from dataclasses import replace

    names = sorted(case_files.glob("LAB-05_*.png"))
    assert len(names) == len(UNITS)
    pages = {
        unit_id: replace(memory.basis.pages[unit_id], source=f"{path.name} p. 1", picture=path, document=path)
        for unit_id, path in zip(UNITS, names, strict=True)
    }
    memory.basis = replace(memory.basis, pages=pages)
    client = browse(on=make_desk())
    for unit_id, path in zip(UNITS, names, strict=True):
        page = client.get(f"/pair/q1/{unit_id}").text
        (source,) = re.findall(r'<img id="picture" src="([^"]+)"', page)
        (link,) = re.findall(r'href="(/document/[^"]+)"', page)
        assert client.get(source).content == path.read_bytes()
        opened = client.get(link)
        assert opened.content == path.read_bytes()
        assert opened.headers["content-type"] == "image/png"


def test_links_of_other_pages_lead_to_pairs_and_questions(browse):
    client = browse()
    label_id = decide(client).json()["label_id"]
    assert client.get("/receipt/rcp_1").url.path == "/question/q1"
    assert client.get(f"/label/{label_id}").url.path == "/pair/q1/unit_a"
    assert client.get("/question/q1").text.count('class="thumb"') == 3


def test_an_empty_project_says_what_to_do_and_is_read_again_once_there_is_something(browse, memory, make_desk):
    full, memory.basis = (
        memory.basis,
        type(memory.basis)(
            title="twelve", project_id="p", queued=memory.basis.queued.clear(), questions={}, pages={}, answers={}
        ),
    )
    client = browse(on=make_desk())
    assert "eval-pipeline run" in client.get("/").text
    memory.basis = full
    assert "eval-pipeline run" not in client.get("/").text


def test_templates_style_and_script_are_package_data():
    room = resources.files("eval_pipeline.report.review")
    assert {one.name for one in room.joinpath("static").iterdir()} == {"review.js", "review.css"}
    assert "pair.html" in {one.name for one in room.joinpath("templates").iterdir()}
