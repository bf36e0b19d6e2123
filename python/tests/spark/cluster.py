"""A session of Spark, and a standalone cluster of a master and two workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")


def build(master: str, **settings: str) -> SparkSession:
    builder = SparkSession.builder.master(master).appName("rosenblatt")
    quiet = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    for name, value in {**quiet, **settings}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def stop() -> None:
    session = SparkSession.getActiveSession()
    if session is not None:
        session.stop()


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return opened.getsockname()[1]


class Cluster:
    """A standalone master and two workers on the loopback, as processes of their own."""

    def __init__(self, folder: Path, memory: str = "1g") -> None:
        self.folder, self.processes = folder, []
        self.port = free_port()
        self.master = f"spark://127.0.0.1:{self.port}"
        address = ["--host", "127.0.0.1", "--webui-port", "0"]
        self._start("deploy.master.Master", *address, "--port", str(self.port))
        self._wait_for("master.Master", "I have been elected leader")
        for number in range(2):
            work = folder / f"work-{number}"
            options = ["--cores", "1", "--memory", memory, "--work-dir", str(work), *address]
            self._start("deploy.worker.Worker", *options, self.master, number=number)
        for number in range(2):
            self._wait_for(f"worker.Worker-{number}", "Successfully registered with master")

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _start(self, name: str, *options: str, number: int | None = None) -> None:
        home = Path(pyspark.__file__).parent
        log = self._log(name.partition(".")[2] + ("" if number is None else f"-{number}"))
        environment = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_NO_DAEMONIZE": "1",
            "SPARK_DAEMON_MEMORY": "256m",
        }
        command = [str(home / "bin/spark-class"), f"org.apache.spark.{name}", *options]
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, stdout=output, stderr=output, env=environment, start_new_session=True
            )
        self.processes.append(process)

    def _wait_for(self, name: str, words: str) -> None:
        end = time.monotonic() + 120
        while words not in self._log(name).read_text():
            if time.monotonic() > end or any(each.poll() is not None for each in self.processes):
                raise RuntimeError(f"{name} did not start:\n{self._log(name).read_text()[-3000:]}")
            time.sleep(0.1)

    def executors(self) -> list[int]:
        """The identifiers of the executors of this cluster; each runs in a folder of its worker."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
                place = (
                    (entry / "cwd").resolve() if b"CoarseGrainedExecutorBackend" in words else None
                )
            except OSError:
                continue
            if place is not None and place.is_relative_to(self.folder.resolve()):
                found.append(int(entry.name))
        return sorted(found)

    def stop(self) -> None:
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
