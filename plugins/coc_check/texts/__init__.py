"""Wrong texts, for the checks, the fuzzer and the tests."""
