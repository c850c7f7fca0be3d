"""A process that starts refresh-like children at once, so that many can be killed quickly.

It imports the store, then forks a child for each line ``ACTION HOME`` on its standard input
and prints the child's process id; ``wait PID`` prints how that child ended. Children:

``once`` makes one commit, ``loop`` commits for ever, ``hold`` takes the lock, leaves a
grandchild behind and sleeps, ``try`` takes the lock and lets it go: exit 4 when it is held.
"""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
from store_helpers import LINKS, put

import etl.store.compact as compact_module
from etl.errors import LockedError
from etl.store.home import Home, open_home, prepare
from etl.store.lock import refresh_lock
from etl.store.snapshot import EMPTY, TableState, commit, current
from etl.store.tables import apply, compact, write_file
from etl.store.tables import replace as whole


def pmids(token: int) -> list[int]:
    """PMIDs that the commit ``token`` puts: some revised again and again, one new."""
    return sorted({token % 3, token % 7, 100 + token})


def one_commit(home: Home) -> None:
    """Brings two tables from the committed token to the next."""
    prepare(home)
    with refresh_lock(home):
        last = current(home) or EMPTY
        token = last.watermarks.get("token", 0) + 1
        state = last.tables.get(LINKS, TableState())
        state, _ = apply(home, LINKS, state, [put(home, token, pmids(token))])
        state = compact(home, LINKS, state, force=token % 6 == 0)
        tree = pa.table({"ui": [f"D{token}"] * 50, "tree_number": [f"A{n}" for n in range(50)]})
        file = write_file(home, "mesh_tree", tree, None, "tree")
        tables = {LINKS: state, "mesh_tree": whole(home, "mesh_tree", [file])}
        commit(home, replace(last, tables=tables, watermarks={"token": token}))


def loop(home: Home) -> None:
    """Commits until it is killed."""
    while True:
        one_commit(home)


def hold(home: Home) -> None:
    """Takes the lock, forks a worker that outlives it, and waits to be killed."""
    with refresh_lock(home):
        if os.fork() == 0:
            time.sleep(2)
            os._exit(0)
        (home.root / "held").touch()
        time.sleep(60)


def attempt(home: Home) -> None:
    """Takes the lock for a moment."""
    with refresh_lock(home):
        time.sleep(0.5)


ACTIONS = {"once": one_commit, "loop": loop, "hold": hold, "try": attempt}


def child(action: str, home: Home) -> int:
    """Runs ``action``; its exit code as the command line would give it."""
    compact_module.MOST_DELTAS = 3
    try:
        ACTIONS[action](home)
    except LockedError as error:
        print(error, file=sys.stderr, flush=True)
        return error.exit_code
    return 0


def main() -> None:
    """Serves standard input until it ends."""
    for line in sys.stdin:
        action, argument = line.split()
        if action == "wait":
            _, status = os.waitpid(int(argument), 0)
            print(os.waitstatus_to_exitcode(status), flush=True)
            continue
        pid = os.fork()
        if pid == 0:
            os._exit(child(action, open_home(Path(argument))))
        print(pid, flush=True)


if __name__ == "__main__":
    main()
