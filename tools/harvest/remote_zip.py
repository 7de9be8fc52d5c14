"""Files out of a wheel on the network, of which only the needed parts are downloaded."""

from __future__ import annotations

import io
import urllib.request
import zipfile
from collections import OrderedDict
from collections.abc import Callable

from .pypi import METER, TIMEOUT

BLOCK = 1 << 18  # bytes asked for at once; neighbours in an archive lie beside each other
KEPT = 32  # blocks


class RangeReader(io.RawIOBase):
    """A file at an address whose server answers requests for byte ranges (RFC 9110, section 14), read in blocks.

    Raises OSError where the server does not answer with the asked range.
    """

    def __init__(self, url: str, size: int) -> None:
        self._url = url
        self._size = size
        self._place = 0
        self._blocks: OrderedDict[int, bytes] = OrderedDict()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = base + offset
        return self._place

    def read(self, size: int = -1) -> bytes:
        end = self._size if size < 0 else min(self._size, self._place + size)
        parts: list[bytes] = []
        while self._place < end:
            number, inside = divmod(self._place, BLOCK)
            part = self._block(number)[inside : inside + end - self._place]
            self._place += len(part)
            parts.append(part)
        return b"".join(parts)

    def _block(self, number: int) -> bytes:
        if number not in self._blocks:
            first = number * BLOCK
            last = min(self._size, first + BLOCK) - 1
            request = urllib.request.Request(self._url, headers={"Range": f"bytes={first}-{last}"})
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                if response.status != 206:
                    raise OSError(f"{self._url}: the server sends no parts of a file")
                data = response.read()
            if len(data) != last - first + 1:
                raise OSError(f"{self._url}: got {len(data)} bytes of {last - first + 1}")
            METER.bytes += len(data)
            self._blocks[number] = data
            if len(self._blocks) > KEPT:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(number)
        return self._blocks[number]


def members(url: str, size: int, wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Return the wanted members of the archive at an address, path -> content.

    Raises:
        OSError: the server does not send parts of files.
        zipfile.BadZipFile: it is no archive.

    """
    METER.downloads += 1
    reader = RangeReader(url, size)
    reader.read(1)  # zipfile would take a refusal for a broken archive
    with zipfile.ZipFile(reader) as archive:
        found = [info for info in archive.infolist() if not info.is_dir() and wanted(info.filename)]
        found.sort(key=lambda info: info.header_offset)
        return {info.filename: archive.read(info) for info in found}
