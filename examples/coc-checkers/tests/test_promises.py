from coc_check import parametrize_with_checks


@parametrize_with_checks("checkers")
def test_promise(check):
    check.run()
