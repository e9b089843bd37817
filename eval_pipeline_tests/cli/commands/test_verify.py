import json
import shutil

from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.connection import session


def test_every_receipt_of_the_road_holds(road_home, call):
    called = call("verify", "--json", home=road_home)
    assert called.returncode == 0, called.stderr
    told = json.loads(called.stdout)
    assert told["receipts"] > 100
    assert told["broken"] == []


def test_a_changed_label_breaks_the_receipts_that_rest_on_it(road_home, tmp_path, call):
    home = tmp_path / "copy"
    shutil.copytree(road_home, home)
    with session(ProjectPaths(home=home)) as ledger:
        ledger._con.execute("UPDATE labels.label SET grade = 'irrelevant' WHERE grade = 'sufficient'")
    called = call("verify", "--json", home=home)
    assert called.returncode == 1
    assert {item["link"] for item in json.loads(called.stdout)["broken"]} == {"labels"}
