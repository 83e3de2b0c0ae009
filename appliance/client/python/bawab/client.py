"""The clients. Both send with http.client; the async one in a thread whose socket a cancelled task closes."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import os
import socket
import ssl
import threading
from dataclasses import dataclass
from typing import Any, BinaryIO, Generic, Mapping, Optional, Tuple, TypeVar, Union
from urllib.parse import quote, urlsplit

from . import errors, types

Image = Union[bytes, bytearray, memoryview, str, "os.PathLike[str]", BinaryIO]
"""A picture: its bytes, the name of its file, or a file opened for reading bytes."""

D = TypeVar("D")
S = TypeVar("S")


@dataclass(frozen=True)
class Answer(Generic[D, S]):
    """A successful answer. services is None for face checks without evidence."""

    data: D
    services: S
    request_id: str

    def flags(self) -> list[types.ValidationError]:
        """The fields that a person should look at."""
        found: Any = self.services or {}
        return list(found.get("Validations", {}).get("validation_errors", []))


class Cancellation:
    """Ends the calls that it was given to, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: set[http.client.HTTPConnection] = set()
        self.event = threading.Event()

    def cancel(self) -> None:
        """Ends the calls that run; those that begin later fail at once."""
        self.event.set()
        with self._lock:
            for connection in self._open:
                if connection.sock is not None:
                    try:
                        connection.sock.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass

    def _enter(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._open.add(connection)

    def _leave(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            self._open.discard(connection)


def _encoded(image: Image) -> str:
    if isinstance(image, (str, os.PathLike)):
        with open(image, "rb") as file:
            image = file.read()
    elif not isinstance(image, (bytes, bytearray, memoryview)):
        image = image.read()
    return base64.b64encode(image).decode("ascii")


class _Caller:
    """What both clients share: where and how requests are sent, and what answers mean."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        language: Optional[str] = None,
        timeout: float = 60,
        retries: int = 3,
        longest_wait: float = 30,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        at = urlsplit(url)
        if at.scheme not in ("http", "https") or not at.hostname:
            raise ValueError("url must be http://HOST:PORT or https://HOST:PORT")
        self._at, self._tls, self._timeout = at, tls, timeout
        self._retries, self._longest_wait = retries, longest_wait
        self._headers = {"ApiKey": key, "Content-Type": "application/json"}
        if language is not None:
            self._headers["Accept-Language"] = language

    def _connection(self) -> http.client.HTTPConnection:
        host, port = self._at.hostname or "", self._at.port
        if self._at.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=self._timeout, context=self._tls)
        return http.client.HTTPConnection(host, port, timeout=self._timeout)

    def _once(self, path: str, body: bytes, stop: Cancellation) -> Tuple[int, http.client.HTTPMessage, bytes]:
        connection = self._connection()
        stop._enter(connection)
        try:
            if not stop.event.is_set():
                connection.connect()
            if stop.event.is_set():
                raise errors.Cancelled(0, "the call was cancelled")
            connection.request("POST", self._at.path.rstrip("/") + "/v1/" + path, body, self._headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException) as failure:
            if stop.event.is_set():
                raise errors.Cancelled(0, "the call was cancelled") from failure
            raise errors.NoAnswer(0, f"no answer from {self._at.netloc}: {failure}") from failure
        finally:
            stop._leave(connection)
            connection.close()

    def _post(self, path: str, members: Mapping[str, Any], stop: Cancellation) -> Answer[Any, Any]:
        body = json.dumps({k: v for k, v in members.items() if v is not None}).encode()
        for attempt in range(self._retries + 1):
            status, headers, raw = self._once(path, body, stop)
            try:
                return _understood(status, headers, raw)
            except errors.BawabError as failure:
                wait = failure.retry_after
                if wait is None or attempt == self._retries or wait > self._longest_wait:
                    raise
                if stop.event.wait(wait):
                    raise errors.Cancelled(0, "the call was cancelled") from failure
        raise AssertionError("unreachable")


def _understood(status: int, headers: http.client.HTTPMessage, raw: bytes) -> Answer[Any, Any]:
    request_id = headers.get("X-Request-Id") or ""
    try:
        envelope = json.loads(raw)
        code, message = int(envelope["error_code"]), str(envelope["error_message"])
    except (ValueError, KeyError, TypeError) as failure:
        raise errors.NoAnswer(0, f"HTTP {status} is no answer of bawab", status=status) from failure
    if code == 0:
        return Answer(envelope["data"], envelope["Services"], request_id)
    try:
        wait: Optional[float] = float(headers["Retry-After"])
    except (KeyError, TypeError, ValueError):
        wait = None
    raise errors.of(code)(code, message, status=status, request_id=request_id, retry_after=wait)


def _asked(transaction_id: Optional[str], client_transaction_id: Optional[str], evidence: bool) -> dict[str, Any]:
    return {"transaction_id": transaction_id, "client_transaction_id": client_transaction_id, "evidence": evidence}


def _document(
    image: Image, transaction_id: Optional[str], client_transaction_id: Optional[str], evidence: bool, page: Optional[int]
) -> dict[str, Any]:
    return {**_asked(transaction_id, client_transaction_id, evidence), "image": _encoded(image), "page": page}

class Client(_Caller):
    """Blocks until each answer. A Cancellation ends a call from another thread.

    url is http://HOST:PORT or https://HOST:PORT; tls an ssl.SSLContext that trusts the appliance's certificate. language is
    "ar" or "en". Answers with Retry-After are tried again `retries` times, where the wait is at most longest_wait seconds.
    """

    def id_front(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.NationalIDFront, types.Services]:
        """Reads the front of a national ID."""
        return self._post("ocr/id/front", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def id_back(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.NationalIDBack, types.Services]:
        """Reads the back of a national ID."""
        return self._post("ocr/id/back", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def car_license_front(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.CarLicenseFront, types.Services]:
        """Reads the front of a car licence."""
        return self._post("ocr/car/license/front", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def car_license_back(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.CarLicenseBack, types.Services]:
        """Reads the back of a car licence."""
        return self._post("ocr/car/license/back", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def passport(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.Passport, types.Services]:
        """Reads a passport."""
        return self._post("ocr/passport", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def driving_license(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.DrivingLicense, types.Services]:
        """Reads a driving licence."""
        return self._post("ocr/driving_license", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def license_plate(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.LicensePlate, types.Services]:
        """Reads a licence plate."""
        return self._post("ocr/license_plate", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def kind(
        self,
        kind: str,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.KindDocument, types.KindServices]:
        """Reads a document of a kind that the model pack of the appliance brings, such as student_card."""
        path = "ocr/kinds/" + quote(kind, safe="")
        return self._post(path, _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def multi(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.Multi, types.MultiServices]:
        """Reads up to eight documents of one picture."""
        return self._post("ocr/multi", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def general(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.General, types.ListServices]:
        """Reads the lines of text of any picture."""
        return self._post("ocr/general", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    def match_face(
        self,
        transaction_id: str,
        image: Image,
        *,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.FaceMatch, Optional[types.FaceMatchServices]]:
        """Compares a person with the portrait of the transaction."""
        return self._post("ocr/face/match", _document(image, transaction_id, client_transaction_id, evidence, None), stop or Cancellation())

    def liveness(
        self,
        transaction_id: str,
        face_1: Image,
        face_2: Image,
        face_3: Image,
        *,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.Liveness, Optional[types.LivenessServices]]:
        """Checks three pictures, at most 500 ms apart, for a living person, the one on the document."""
        members = _asked(transaction_id, client_transaction_id, evidence)
        for i, face in enumerate((face_1, face_2, face_3), 1):
            members[f"face_{i}"] = _encoded(face)
        return self._post("ocr/liveness/multi", members, stop or Cancellation())

    def camera_liveness(
        self,
        transaction_id: str,
        *,
        client_transaction_id: Optional[str] = None,
        frames: bool = False,
        evidence: bool = False,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.CameraLiveness, Optional[types.LivenessServices]]:
        """Checks the person before the appliance's own camera."""
        members = {**_asked(transaction_id, client_transaction_id, evidence), "frames": frames}
        return self._post("camera/liveness", members, stop or Cancellation())

    def camera_document(
        self,
        endpoint: types.DocumentEndpoint,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        stop: Optional[Cancellation] = None,
    ) -> Answer[Any, Any]:
        """Reads the document before the appliance's own camera; data is that of the endpoint."""
        members = {**_asked(transaction_id, client_transaction_id, evidence), "endpoint": endpoint}
        return self._post("camera/document", members, stop or Cancellation())


class AsyncClient(_Caller):
    """Awaits each answer. Cancelling the task, or asyncio.timeout, ends the request at the appliance too."""

    async def _send(self, path: str, members: Mapping[str, Any], stop: Cancellation) -> Answer[Any, Any]:
        try:
            return await asyncio.to_thread(self._post, path, members, stop)
        except asyncio.CancelledError:
            stop.cancel()
            raise

    async def id_front(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.NationalIDFront, types.Services]:
        """Reads the front of a national ID."""
        return await self._send("ocr/id/front", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def id_back(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.NationalIDBack, types.Services]:
        """Reads the back of a national ID."""
        return await self._send("ocr/id/back", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def car_license_front(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.CarLicenseFront, types.Services]:
        """Reads the front of a car licence."""
        return await self._send("ocr/car/license/front", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def car_license_back(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.CarLicenseBack, types.Services]:
        """Reads the back of a car licence."""
        return await self._send("ocr/car/license/back", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def passport(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.Passport, types.Services]:
        """Reads a passport."""
        return await self._send("ocr/passport", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def driving_license(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.DrivingLicense, types.Services]:
        """Reads a driving licence."""
        return await self._send("ocr/driving_license", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def license_plate(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.LicensePlate, types.Services]:
        """Reads a licence plate."""
        return await self._send("ocr/license_plate", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def kind(
        self,
        kind: str,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.KindDocument, types.KindServices]:
        """Reads a document of a kind that the model pack of the appliance brings, such as student_card."""
        path = "ocr/kinds/" + quote(kind, safe="")
        return await self._send(path, _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def multi(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.Multi, types.MultiServices]:
        """Reads up to eight documents of one picture."""
        return await self._send("ocr/multi", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def general(
        self,
        image: Image,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        page: Optional[int] = None,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.General, types.ListServices]:
        """Reads the lines of text of any picture."""
        return await self._send("ocr/general", _document(image, transaction_id, client_transaction_id, evidence, page), stop or Cancellation())

    async def match_face(
        self,
        transaction_id: str,
        image: Image,
        *,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.FaceMatch, Optional[types.FaceMatchServices]]:
        """Compares a person with the portrait of the transaction."""
        return await self._send("ocr/face/match", _document(image, transaction_id, client_transaction_id, evidence, None), stop or Cancellation())

    async def liveness(
        self,
        transaction_id: str,
        face_1: Image,
        face_2: Image,
        face_3: Image,
        *,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.Liveness, Optional[types.LivenessServices]]:
        """Checks three pictures, at most 500 ms apart, for a living person, the one on the document."""
        members = _asked(transaction_id, client_transaction_id, evidence)
        for i, face in enumerate((face_1, face_2, face_3), 1):
            members[f"face_{i}"] = _encoded(face)
        return await self._send("ocr/liveness/multi", members, stop or Cancellation())

    async def camera_liveness(
        self,
        transaction_id: str,
        *,
        client_transaction_id: Optional[str] = None,
        frames: bool = False,
        evidence: bool = False,
        stop: Optional[Cancellation] = None,
    ) -> Answer[types.CameraLiveness, Optional[types.LivenessServices]]:
        """Checks the person before the appliance's own camera."""
        members = {**_asked(transaction_id, client_transaction_id, evidence), "frames": frames}
        return await self._send("camera/liveness", members, stop or Cancellation())

    async def camera_document(
        self,
        endpoint: types.DocumentEndpoint,
        *,
        transaction_id: Optional[str] = None,
        client_transaction_id: Optional[str] = None,
        evidence: bool = False,
        stop: Optional[Cancellation] = None,
    ) -> Answer[Any, Any]:
        """Reads the document before the appliance's own camera; data is that of the endpoint."""
        members = {**_asked(transaction_id, client_transaction_id, evidence), "endpoint": endpoint}
        return await self._send("camera/document", members, stop or Cancellation())
