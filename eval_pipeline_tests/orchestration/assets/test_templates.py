"""What the external asset is, and what one run of page_templates may be asked."""

from eval_pipeline.foundation.ids import BUCKETS
from eval_pipeline.orchestration.assets.templates import TemplatesRun, template_members


def test_members_are_an_external_asset_by_bucket():
    assert template_members.key.to_user_string() == "template_members"
    assert template_members.partitions_def.get_partition_keys() == list(BUCKETS)


def test_nothing_is_clustered_again_unless_asked():
    assert TemplatesRun().recluster is False
