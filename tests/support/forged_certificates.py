"""Forged certificates and checkpoints: what a checker of certificates must refuse, each with a reason."""

import hashlib
import json
import shutil

import numpy as np

FILES = ("config.json", "tokenizer.json", "model.safetensors")


def put(path, value):
    """Changes what stands at a path of keys in a document."""

    def change(document):
        *keys, last = path
        for key in keys:
            document = document[key]
        document[last] = value(document[last])

    return change


def to(*path, value):
    return put(path, lambda _: value)


def added(*path, entry):
    """Adds an entry to the list or the object at a path."""

    def change(document):
        for key in path:
            document = document[key]
        if isinstance(document, dict):
            document.update(entry)
        else:
            document.append(entry if entry is not None else document[0])

    return change


def without(*path):
    def change(document):
        *keys, last = path
        for key in keys:
            document = document[key]
        del document[last]

    return change


BOUNDS = {f"a bound of {bound!r}": to("rules", 1, "bound", value=bound) for bound in (0.0, True, -1.0)}
DOCUMENTS = {
    **BOUNDS,
    "a bound that is a text": to("rules", 1, "bound", value="0.1"),
    "a bound that is not a number": to("rules", 1, "bound", value=float("nan")),
    "a margin that is not a number": to("rules", 1, "margin", value=float("nan")),
    "a margin of 0": to("rules", 1, "margin", value=0.0),
    "a whole margin": put(("rules", 1, "margin"), int),
    "another assumption": to("assumptions", "arithmetic", value="bfloat16"),
    "one more assumption": added("assumptions", entry={"weather": "fine"}),
    "no problems": to("problems", value=[]),
    "a problem twice": added("problems", entry=None),
    "no rules": to("rules", value=[]),
    "a huge problem": to("problems", 0, "problem", value="n=99999999 src=1 dst=3"),
    "a problem that is too large": to("problems", 0, "problem", value="n=65 src=1 dst=3"),
    "a problem of no size": to("problems", 0, "problem", value="n=0 src=1 dst=3"),
    "a problem with a zero before": to("problems", 0, "problem", value="n=01 src=1 dst=3"),
    "a problem that is solved": to("problems", 0, "problem", value="n=1 src=1 dst=1"),
    "a first rule from behind": put(("problems", 0, "first"), lambda first: first - 4),
    "a first rule that is not there": to("problems", 0, "first", value=4),
    "a count of another type": to("problems", 0, "steps", value=True),
    "a huge count": to("problems", 1, "steps", value=10**200),
    "what follows, from behind": put(("rules", 1, "then", 0), lambda number: number - 4),
    "a needed variable twice": put(("rules", 0, "needs"), lambda needs: needs * 2),
    "an action that nobody uses": added(
        "actions", entry={"action": "Move disk 9 from 1 to 2", "needs": [], "sets": [[9, 2]]}
    ),
    "an action with more": to("actions", 0, "sets", value=[[1, 3], [2, 3]]),
    "a huge disk": to("rules", 0, "target", value="OUTPUT Move disk 99999999 from 1 to 3"),
    "a huge window": to("rules", 1, "target", value="PUSH CALL n=99999999 src=2 dst=3 aux=1"),
    "an endless target": to("rules", 0, "target", value="OUTPUT Move disk 1 from 1 to 3\n" * 100_000),
    "a prompt of one long word": to("rules", 0, "prompt", value="a" * 60_000),
    "one more key": added(entry={"note": "trust me"}),
    "a missing key": without("arithmetic"),
    "not composed": to("composed", value=False),
    "the version before": to("version", value=1),
    "another verdict": to("verdict", value="exact on this machine"),
    "a rule that is a text": to("rules", 0, value="INSTR"),
}
"""Changes of the certificate of Hanoi on a stack with one and two disks."""

TEXTS = {
    "nothing": lambda text: "",
    "a key twice": lambda text: text.replace('"verdict"', '"verdict": "certified", "verdict"', 1),
    "a bound of -0": lambda text: text.replace('"bound": ', '"bound": -0, "bound": ', 1),
    "a number too large": lambda text: text.replace('"margin": ', '"margin": 1e999, "x": ', 1),
    "a number of 400 digits": lambda text: text.replace('"steps": ', f'"steps": {"9" * 400}, "x": ', 1),
    "nested deeply": lambda text: "[" * 100_000 + text,
    "many lists": lambda text: text[:-2] + ', "x": [' + "[]," * 3_000_000 + "[]]}",
    "not UTF-8": lambda text: text.replace("certified", "certifi\udce9d", 1),
}
"""Changes of its text."""


def edited(name, change):
    """Changes the document in a JSON file of a checkpoint."""

    def forge(folder):
        document = json.loads((folder / name).read_text("utf-8"))
        change(document)
        (folder / name).write_text(json.dumps(document), "utf-8")

    return forge


def replaced(name, old, new):
    """Replaces a text in a JSON file of a checkpoint once."""

    def forge(folder):
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), "utf-8")

    return forge


def reheaded(change):
    """Changes the text of the header of the weights."""

    def forge(folder):
        data = (folder / "model.safetensors").read_bytes()
        end = 8 + int.from_bytes(data[:8], "little")
        header = change(data[8:end].decode().rstrip()).encode()
        (folder / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + data[end:])

    return forge


def reweighed(change):
    """Changes the weights, as arrays by name."""

    def forge(folder):
        data = (folder / "model.safetensors").read_bytes()
        end = 8 + int.from_bytes(data[:8], "little")
        spans = {name: entry["data_offsets"] for name, entry in json.loads(data[8:end]).items()}
        body = np.frombuffer(data[end:], "<f4").copy()
        change({name: body[begin // 4 : stop // 4] for name, (begin, stop) in spans.items()})
        (folder / "model.safetensors").write_bytes(data[:end] + body.tobytes())

    return forge


def scaled(**powers):
    """Multiplies tensors of these names, in all blocks, by powers of two; `queries` and so on are thirds of `qkv`."""
    thirds = {"queries": 0, "keys": 1, "values": 2}

    def change(tensors):
        for name, power in powers.items():
            own = "qkv.weight" if name in thirds else name.replace("__", ".")
            for tensor in [tensor for key, tensor in tensors.items() if key.endswith(own)]:
                (np.split(tensor, 3)[thirds[name]] if name in thirds else tensor)[:] *= np.float32(2.0**power)

    return reweighed(change)


def pickled(folder):
    (folder / "weights.pt").write_bytes(b"\x80")


def summed(folder):
    (folder / "SHA256SUMS").write_text(f"{'0' * 64}  config.json\n")


def first_number(value):
    def change(tensors):
        tensors["norm.weight"][0] = value

    return reweighed(change)


CONFIG, TOKENIZER = FILES[:2]
FOLDERS = {
    "another dtype": reheaded(lambda text: text.replace('"F32"', '"I32"', 1)),
    "half precision": reheaded(lambda text: text.replace('"F32"', '"F16"', 1)),
    "a tensor twice": reheaded(lambda text: text[:-1] + ',"norm.bias"' + text.rpartition('"norm.bias"')[2]),
    "metadata": reheaded(lambda text: '{"__metadata__":{"format":"pt"},' + text[1:]),
    "a shape of another type": reheaded(lambda text: text.replace('"shape":[64]', '"shape":[64.0]', 1)),
    "another tensor": reheaded(lambda text: text.replace('"norm.bias"', '"norm.bias2"')),
    "a tensor at another place": reheaded(lambda text: text.replace('"data_offsets":[0,', '"data_offsets":[4,')),
    "a number that is not finite": first_number(np.nan),
    "a number that is infinite": first_number(np.inf),
    "bytes behind": lambda folder: (folder / FILES[2]).write_bytes((folder / FILES[2]).read_bytes() + b"1234"),
    "weights cut off": lambda folder: (folder / FILES[2]).write_bytes((folder / FILES[2]).read_bytes()[:-4]),
    "a header of gigabytes": lambda folder: (folder / FILES[2]).write_bytes(b"\xff" * 16),
    "another backend": replaced(CONFIG, '"transformer"', '"trusted"'),
    "a key of the configuration twice": replaced(CONFIG, '"layers"', '"layers": 1, "layers"'),
    "an unknown key of the model": edited(CONFIG, lambda document: document["model"].update(temperature=1)),
    "an unknown key": edited(CONFIG, lambda document: document.update(trust=True)),
    "a size of another type": edited(CONFIG, lambda document: document["model"].update(layers=2.0)),
    "a huge context": edited(CONFIG, lambda document: document["model"].update(max_len=10**9)),
    "a huge model": edited(CONFIG, lambda document: document["model"].update(d_model=4096, d_ff=16384, layers=64)),
    "another dialect": edited(CONFIG, lambda document: document.update(dialects=["hanoi/chain"])),
    "no dialects": edited(CONFIG, lambda document: document.update(dialects=[])),
    "a training that is a list": edited(CONFIG, lambda document: document.update(training=[])),
    "rotary positions": edited(CONFIG, lambda document: document["model"].update(rotary=4)),
    "a key of the tokenizer twice": replaced(TOKENIZER, '"vocab"', '"vocab": {}, "vocab"'),
    "another pattern": replaced(TOKENIZER, "[01]", "[0-1]"),
    "a pattern that takes forever": replaced(TOKENIZER, "[A-Za-z]+[0-9]+|", "([A-Za-z]+)+[0-9]+|"),
    "another kind of model": replaced(TOKENIZER, '"BPE"', '"Unigram"'),
    "a normalizer": edited(TOKENIZER, lambda document: document.update(normalizer={"type": "Lowercase"})),
    "an id twice": edited(TOKENIZER, put(("model", "vocab", "[EOS]"), lambda _: 1)),
    "a special token fewer": edited(TOKENIZER, lambda document: document["added_tokens"].pop()),
    "a pickle": pickled,
    "other sums": summed,
}
"""Changes of its checkpoint, each with a new fingerprint."""

RESIDUAL = dict.fromkeys(("tokens__weight", "positions__0__weight", "positions__1__weight", "out__weight"), 80)
RESIDUAL |= {"down__weight": 80, "down__bias": 80}
RESCALED = {
    "the residual stream": scaled(**RESIDUAL, norm__weight=-80, norm__bias=-80),
    "values": scaled(values=118, out__weight=-118),
    "values, down": scaled(values=-110, out__weight=110),
    "queries": scaled(queries=118, keys=-118),
    "keys": scaled(queries=-118, keys=118),
    "the first scales": scaled(norm1__weight=118, norm1__bias=118, qkv__weight=-118),
    "the first scales, down": scaled(norm1__weight=-110, norm1__bias=-110, qkv__weight=110),
    "the second scales": scaled(norm2__weight=118, norm2__bias=118, up__weight=-118),
    "the second scales, down": scaled(norm2__weight=-110, norm2__bias=-110, up__weight=110),
}
"""Changes of its weights that leave the function, in exact arithmetic, nearly as it was."""


def forged_folder(checkpoint, forge, folder):
    """Copy a checkpoint, without its sums, and change the copy; gives its fingerprint."""
    shutil.copytree(checkpoint, folder, ignore=shutil.ignore_patterns("SHA256SUMS", "metrics.jsonl", "pairs.digests"))
    forge(folder)
    digests = [hashlib.sha256((folder / name).read_bytes()).digest() for name in FILES]
    return hashlib.sha256(b"".join(digests)).hexdigest()
