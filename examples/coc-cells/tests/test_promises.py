from coc_check import parametrize_with_checks


@parametrize_with_checks("cells")
def test_promise(check):
    check.run()
