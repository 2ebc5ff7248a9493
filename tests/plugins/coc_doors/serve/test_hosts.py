"""Which names the server answers to."""

from ipaddress import ip_address

from coc_doors.serve.hosts import Hosts
from tests.support.for_each import for_each

LOCAL = Hosts(ip_address("127.0.0.1"), frozenset({"box.example"}))


@for_each("name", ["127.0.0.1", "127.0.0.1:8000", "localhost:9", "LocalHost", "box.example", "Box.Example:80"])
def test_its_own_names(name):
    assert name in LOCAL


@for_each(
    "name",
    [
        *("", "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.2"),
        *("127.1", "0x7f000001", "2130706433", "127.0.0.1:", "127.0.0.1:123456", "u@127.0.0.1", "127.0.0.1/", "[::1]"),
        *("localhost ", "[127.0.0.1", "[:::]", "localhost\x00", "localhost, evil.example", "０.0.0.0"),
    ],
)
def test_other_names(name):
    assert name not in LOCAL


def test_a_server_on_every_address_answers_to_addresses_but_not_to_names():
    everywhere = Hosts(ip_address("0.0.0.0"))
    assert "10.1.2.3:8000" in everywhere
    assert "[fe80::1]:8000" in everywhere
    assert "localhost" in everywhere
    assert "evil.example" not in everywhere


def test_a_server_on_one_address_answers_to_that_one():
    one = Hosts(ip_address("10.1.2.3"))
    assert "10.1.2.3:8000" in one
    assert "10.1.2.4" not in one
    assert "localhost" not in one
    assert "[::1]:80" in Hosts(ip_address("::1"))
