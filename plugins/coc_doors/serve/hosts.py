"""Which names a client may call the server by.

A page in a browser can make a name of its own lead to 127.0.0.1 and then read what a server there answers (DNS
rebinding). Its requests have that name in the Host header, so other names than the server's own are refused.
"""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

from attrs import frozen

Address = IPv4Address | IPv6Address

_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]{2,45})\]|(?P<name>[A-Za-z0-9._-]{1,253}))(?::[0-9]{1,5})?", re.ASCII)


@frozen
class Hosts:
    """The names of a server.

    Attributes:
        address: The address that it listens on.
        names: Other names that its users have given it, in lower case.
    """

    address: Address
    names: frozenset[str] = frozenset()

    def __contains__(self, header: str) -> bool:
        """Whether a Host header has one of the names. Its port may be that of a tunnel and is not compared."""
        found = _HOST.fullmatch(header)
        if found is None:
            return False
        name = (found["six"] or found["name"]).lower()
        if name in self.names:
            return True
        if name == "localhost":
            return self.address.is_loopback or self.address.is_unspecified
        try:
            literal = ip_address(name)
        except ValueError:
            return False
        # No name is rebound to an address that is written as such.
        return literal == self.address or self.address.is_unspecified
