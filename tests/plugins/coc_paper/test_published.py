"""The paper's numbers."""

from coc_paper import published


def test_every_cell_of_the_papers_tables_is_there():
    assert len(published.instances()) == 3 * 35 * 9
    assert published.instances()["blocksworld-extended", 40, 5] == 2
    found = published.holdout()
    assert [found[level, 15] for level in (5, 15, 50)] == [None, 0, 1827]
    rates = [round(100 * sum(found[level, n] is None for n in range(1, 16)) / 15, 1) for level in range(5, 55, 5)]
    assert rates == [100.0, 80.0, 86.7, 86.7, 80.0, 66.7, 86.7, 73.3, 40.0, 33.3]  # at the foot of the table
