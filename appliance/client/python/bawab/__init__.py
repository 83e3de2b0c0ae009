"""Client of the bawab identity appliance.

Client blocks, AsyncClient awaits; both have the same methods and need nothing but the standard library. A failed answer raises
the exception that belongs to its error_code, see bawab.errors. Answers 429 and 503 are tried again as long as Retry-After says.
"""

from . import errors, types
from .client import Answer, AsyncClient, Cancellation, Client
from .errors import BawabError

__all__ = ["Answer", "AsyncClient", "BawabError", "Cancellation", "Client", "errors", "types"]
