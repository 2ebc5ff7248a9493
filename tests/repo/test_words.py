"""The field's words: those of our own that were retired are nowhere."""

import re
from pathlib import Path

from tests.support.source_files import FILES, ROOT, needs_git

RETIRED = (
    r"foretold|foretell\w*|foresee\w*",
    r"scouts?|lessons?|strata|stratum|list_ends",
    r"smallest leads?|leads? of a token",
    r"questions? to the model|questions a step|asked alone",
    r"nearly[ -]solved|nearly sorted|near problems?",
    r"pairs to learn|wrong_sums",
    r"inward|outward",
    r"spoilt|moody|moods?",
    r"films?|reels?|sittings?|rehears\w+|witness(es|ed)?|vaults?",
    r"(?-i:Picture|Moment|Heard|Walked)",
    r"blaming|blames?|culprits?",
    r"whoever|one's own|of one's|borne|such a one|told on",
    r"complain(s|ed)?|accus(e|es|ed)|untold|deserted|thinned|names? by place",
    r"(?-i:Gate|NoReader|Sight|Stretch|class Drawn)",
    r"--listed|--near(?!-)|--set (rename|replay|scouts|shift|strata)",
)
"""Words that this project once used in a sense of its own, where they can be told from other uses of the same letters."""

SEED = "random.Random(f"
"""What a text that seeds a draw stands in: with another text, recorded commands would draw other problems."""

KINDS = {".py", ".md", ".jinja", ".js", ".html", ".toml"}


@needs_git
def test_no_file_has_a_retired_word():
    pattern = re.compile(rf"(?<!\w)({'|'.join(RETIRED)})(?!\w)", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in FILES
        if path.suffix in KINDS and path != Path(__file__)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(line) and SEED not in line
    ]
    assert found == []
