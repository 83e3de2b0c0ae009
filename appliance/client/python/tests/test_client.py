"""The client against servers that answer as the appliance does, well and badly."""

import asyncio
import io
import json
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import bawab
from bawab import errors


def failure(code, message="sentence"):
    return json.dumps({"data": None, "Services": None, "error_code": code, "error_message": message})


SUCCESS = json.dumps(
    {"data": {"transaction_id": "t", "result": "س ن ب 1234"}, "Services": {"Validations": {"validation_errors": [{"field": "result"}]}},
     "error_code": 0, "error_message": ""}
)


class Server:
    """Answers requests one after the other with (status, body, headers); a number is seconds of silence."""

    def __init__(self, *answers):
        self.answers, self.requests, self.gone = list(answers), [], threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                server.requests.append((self.path, dict(self.headers), json.loads(body)))
                answer = server.answers.pop(0)
                if isinstance(answer, str):
                    self.connection.settimeout(10)
                    if self.connection.recv(1) == b"":
                        server.gone.set()
                    return
                status, text, headers = answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()


class TestClient(unittest.TestCase):
    def test_request(self):
        """A request has the key, the language, the picture in base64 from each kind of source, and no member that was not given."""
        file = Path(__file__)
        for image in (b"abc", bytearray(b"abc"), memoryview(b"abc"), io.BytesIO(b"abc"), file, str(file)):
            with Server((200, SUCCESS, {"X-Request-Id": "r"})) as server:
                answer = bawab.Client(server.url, "secret", language="ar").license_plate(image, client_transaction_id="desk")
                path, headers, members = server.requests[0]
                self.assertEqual((path, headers["ApiKey"], headers["Accept-Language"]), ("/v1/ocr/license_plate", "secret", "ar"))
                self.assertEqual(set(members), {"image", "client_transaction_id", "evidence"})
                if not isinstance(image, (Path, str)):
                    self.assertEqual(members["image"], "YWJj")
                self.assertEqual((answer.data["result"], answer.request_id, len(answer.flags())), ("س ن ب 1234", "r", 1))

    def test_errors(self):
        """Each code raises its own exception, an unknown one the general one, and what is no answer of bawab NoAnswer."""
        for code, kind in ((3011, errors.NoDocument), (4104, errors.TooManyAttempts), (401, errors.Unauthorized), (9999, errors.BawabError)):
            with Server((400, failure(code), {})) as server, self.assertRaises(kind) as raised:
                bawab.Client(server.url, "k").passport(b"x")
            self.assertEqual((raised.exception.code, raised.exception.message), (code, "sentence"))
        with Server((502, "<html>", {})) as server, self.assertRaises(errors.NoAnswer):
            bawab.Client(server.url, "k").passport(b"x")
        with self.assertRaises(errors.NoAnswer):
            bawab.Client("http://127.0.0.1:9", "k").passport(b"x")

    def test_retries(self):
        """An answer with Retry-After is tried again after that time; one without it, or with too long a wait, is not."""
        with Server((503, failure(503), {"Retry-After": "0.2"}), (429, failure(429), {"Retry-After": "0"}), (200, SUCCESS, {})) as server:
            began = time.monotonic()
            bawab.Client(server.url, "k").passport(b"x")
            self.assertEqual(len(server.requests), 3)
            self.assertGreaterEqual(time.monotonic() - began, 0.2)
        for headers in ({}, {"Retry-After": "31"}, {"Retry-After": "soon"}):
            with Server((503, failure(503), headers), (200, SUCCESS, {})) as server, self.assertRaises(errors.Unavailable):
                bawab.Client(server.url, "k").passport(b"x")
        with Server(*[(429, failure(429), {"Retry-After": "0"})] * 3) as server:
            with self.assertRaises(errors.TooMany):
                bawab.Client(server.url, "k", retries=2).passport(b"x")
            self.assertEqual(len(server.requests), 3)

    def test_cancel(self):
        """A Cancellation ends a call, in its wait for the answer and between two tries, and the server sees it go."""
        for answer in ("silence", (503, failure(503), {"Retry-After": "20"})):
            with Server(answer) as server:
                stop = bawab.Cancellation()
                threading.Timer(0.2, stop.cancel).start()
                with self.assertRaises(errors.Cancelled):
                    bawab.Client(server.url, "k").passport(b"x", stop=stop)
                self.assertTrue(answer != "silence" or server.gone.wait(5))

    def test_async(self):
        """The async client runs requests side by side, and cancelling a task ends its request at the server."""

        async def both(url):
            client = bawab.AsyncClient(url, "k")
            return await asyncio.gather(client.passport(b"x"), client.liveness("t", b"1", b"2", b"3"))

        with Server((200, SUCCESS, {}), (200, SUCCESS, {})) as server:
            self.assertEqual(len(asyncio.run(both(server.url))), 2)
            self.assertEqual({r[0] for r in server.requests}, {"/v1/ocr/passport", "/v1/ocr/liveness/multi"})

        async def cancelled(url):
            await asyncio.wait_for(bawab.AsyncClient(url, "k").passport(b"x"), 0.3)

        with Server("silence") as server:
            with self.assertRaises(asyncio.TimeoutError):
                asyncio.run(cancelled(server.url))
            self.assertTrue(server.gone.wait(5))


if __name__ == "__main__":
    unittest.main()
