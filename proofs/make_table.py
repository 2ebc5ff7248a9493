"""Write the prompts and targets of a certificate as a Rocq constant: python make_table.py CERTIFICATE > Table.v"""

import json
import sys
from pathlib import Path


def quoted(text: str) -> str:
    """Return a text as Rocq writes it."""
    if not text.isascii():
        raise SystemExit(f"only ASCII: {text!r}")
    return '"' + text.replace('"', '""') + '"'


def main(path: str) -> None:
    """Print the table."""
    document = json.loads(Path(path).read_text())
    pairs = [f"({quoted(rule['prompt'])},\n {quoted(rule['target'])})" for rule in document["rules"]]
    print(f"(* What the model writes for each prompt of {document['dialect']}. *)")
    print("Require Import List String. Import ListNotations. Open Scope string_scope.")
    print("Definition table : list (string * string) := [\n" + ";\n".join(pairs) + "\n].")


if __name__ == "__main__":
    main(sys.argv[1])
