"""The programs of the README, run as they stand there."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import proofline
from tests.support import ServerCase

PYTHON = Path(__file__).parent.parent
README = (PYTHON / "README.md").read_text()
PROGRAMS = dict(re.findall(r"```python\n# ([a-z]+\.py)\n(.*?)```", README, re.S))
PRINTED = dict(re.findall(r"```python\n# ([a-z]+\.py)\n[^`]*```\n\n```text\n(.*?)```", README, re.S))


class Readme(ServerCase):
    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in PROGRAMS.items():
            (self.folder / name).write_text(text)

    def start(self, program: str) -> subprocess.Popen[str]:
        own = {"PYTHONPATH": str(PYTHON), "PROOFLINE_URL": self.server.url, "PROOFLINE_KEY": "key-1"}
        process = subprocess.Popen(
            [sys.executable, program],
            cwd=self.folder,
            env={**os.environ, **own, "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.addCleanup(process.kill)
        return process

    def test_each_program_prints_what_the_page_says_and_the_worker_ends_when_it_is_told_to(self) -> None:
        alone = {"app.py", "many.py", "confirm.py"}
        # the server of these tests moves no flows: the whole system runs this one
        flows = {"gallery.py"}
        self.assertEqual(set(PROGRAMS), {"jobs.py", "worker.py", "orders.py"} | alone | flows)
        self.assertEqual(set(PRINTED), alone | flows)
        self.assertEqual(README.count("```python"), len(PROGRAMS))
        worker = self.start("worker.py")
        self.until(lambda: self.server.fleet.registered, "a worker")
        for name in sorted(alone):
            expected = PRINTED[name]
            printed, _ = self.start(name).communicate(timeout=60)
            # progress may be told or not: the newest wins
            self.assertEqual(re.sub(r"^progress\n", "", printed, flags=re.M), expected, name)
        worker.send_signal(signal.SIGTERM)
        said, _ = worker.communicate(timeout=60)
        self.assertEqual((worker.returncode, said), (0, ""))
        self.assertEqual(self.server.fleet.left, self.server.fleet.registered)


class Package(unittest.TestCase):
    def test_the_version_is_the_one_of_the_project(self) -> None:
        project = (PYTHON / "pyproject.toml").read_text()
        self.assertIn(f'\nversion = "{proofline.__version__}"\n', project)

    def test_everything_that_is_exported_is_there_and_described(self) -> None:
        for name in proofline.__all__:
            if name != "__version__":
                self.assertTrue(getattr(proofline, name).__doc__, name)

    def test_every_folder_with_code_is_packed(self) -> None:
        folders = {str(one.parent.relative_to(PYTHON)).replace(os.sep, ".") for one in PYTHON.glob("proofline/**/*.py")}
        project = (PYTHON / "pyproject.toml").read_text()
        self.assertEqual(folders, set(re.findall(r'"(proofline[\w.]*)"', re.findall(r"packages = .*", project)[0])))


if __name__ == "__main__":
    unittest.main()
