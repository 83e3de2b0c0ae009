"""What can go wrong: one exception for each error_code, below BawabError."""

from __future__ import annotations

from typing import Optional


class BawabError(Exception):
    """An answer that failed. str() is the sentence of the appliance, in the language that was asked for."""

    code = 0

    def __init__(
        self, code: int, message: str, *, status: int = 0, request_id: Optional[str] = None, retry_after: Optional[float] = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after


class NoAnswer(BawabError):
    """The appliance did not answer, or not as it should: it cannot be reached, or something else answered."""


class Cancelled(BawabError):
    """The call was cancelled by its Cancellation."""


class BadRequest(BawabError):
    code = 400


class Unauthorized(BawabError):
    code = 401


class Forbidden(BawabError):
    code = 403


class NotFound(BawabError):
    code = 404


class MethodNotAllowed(BawabError):
    code = 405


class TooLarge(BawabError):
    code = 413


class MediaType(BawabError):
    code = 415


class TooMany(BawabError):
    code = 429


class Internal(BawabError):
    code = 500


class NotBuilt(BawabError):
    code = 501


class Unavailable(BawabError):
    code = 503


class NoDocument(BawabError):
    code = 3011


class TransactionUnknown(BawabError):
    code = 4101


class NoIdentityDocument(BawabError):
    code = 4102


class TransactionExpired(BawabError):
    code = 4103


class TooManyAttempts(BawabError):
    code = 4104


class TransactionFull(BawabError):
    code = 4105


class ManyFaces(BawabError):
    code = 4206


class NoFace(BawabError):
    code = 4207


class NoPortrait(BawabError):
    code = 4208


class FaceUnclear(BawabError):
    code = 4209


class PictureKind(BawabError):
    code = 5001


class PictureBytes(BawabError):
    code = 5002


class PicturePixels(BawabError):
    code = 5003


class PictureBroken(BawabError):
    code = 5004


class PictureTooThin(BawabError):
    code = 5005


def of(code: int) -> type[BawabError]:
    """The exception of a code; BawabError for one that this version does not know."""
    return next((c for c in BawabError.__subclasses__() if c.code == code), BawabError)
