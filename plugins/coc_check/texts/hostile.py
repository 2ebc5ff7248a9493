"""Texts that nobody should send or write: one list for the checks, the fuzzer and the tests."""

TEXTS: tuple[str, ...] = ("", " ", "\n", "What?", "\x00", "\x1b[2J", "\u00e9\u0301 \U0001f600", "[" * 200, "9" * 400)
TEXTS += ("\r\n\t", "nobody " * 300, "\ud800", "OUTPUT \n", "PTR=-1", "PTR=\u0663")
"""Prompts and targets of no convention: empty, not ASCII, with control characters, deep, long, half a character."""

NUMBERS: tuple[str, ...] = ("-1", "-2", "-0", "+1", "0", "00", "01", "1_0", "1e3", "0x1", "1.0", "2*3", "(1)", " 1")
NUMBERS += ("1 ", "1\n", "", str(2**31), str(2**63), "9" * 19, "9" * 20, "9" * 400, "-" + "9" * 19, "²", "Ⅷ", "1+1")
NUMBERS += ("prev", "NEXT_ID+1", "NEXT_ID-1", "PTR", "PTR+PTR", "prev+prev+prev", "NEXT_ID+" + "9" * 19, "-prev")
NUMBERS += ("__import__('os')",)
"""What may stand where a number belongs. Some of it is one, or is an expression that has one."""

NOT_EXPRESSIONS = (*TEXTS, "+", "NEXT_ID+", "+ 1", "nobody+1", "1 000", "\u0661", "9" * 25, "1+" * 200 + "1")
NOT_EXPRESSIONS += ("-0", "+1", "01", "0-1", "-1+0", "1+NEXT_ID", "+NEXT_ID+1", "NEXT_ID+0", "NEXT_ID+1+0")
NOT_EXPRESSIONS += ("PTR+NEXT_ID", "-PTR+prev", "NEXT_ID-NEXT_ID")
"""What has no number in any notation: it is no number and no sum, or not in its one spelling."""

BREAKS = ("\r", "\r\n", "\n\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\t", "\0", "\x1b[2J", "\xa0", "  ", "")
"""Line breaks and spaces that are not the one newline and the one space of a convention."""

DIGITS = ("٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९", "０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
"""The digits from 0 to 9 in other scripts."""

HEADS = ("OUTPUT ", "PUSH ", "APPEND[", "PTR=", " prev=", "INSTR ", "CALL ", "\n", " ", "[", "]", ", ", "], [", " & ")
"""What the parts of a target begin with, and what stands between them."""
