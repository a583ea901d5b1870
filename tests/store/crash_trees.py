"""States of the model on a real disk, and real files as a state of the model."""

import os

from store.crash_disk import Tree
from wuu.store.home import HOLDER, LOCK

UNSEEN = (LOCK, HOLDER)  # a lock is the kernel's, and who holds it is a courtesy
_WRITABLE = 0o600


def read_tree(root: str) -> Tree:
    """Return what stands below `root`, but for the lock and its holder."""
    found: Tree = {}
    for folder, folders, names in os.walk(root):
        inside = os.path.relpath(folder, root)
        found.update({os.path.normpath(os.path.join(inside, name)): None for name in folders})
        for name in names:
            if name not in UNSEEN:
                place = os.path.join(folder, name)
                with open(place, "rb") as file:
                    content = file.read(), os.stat(place).st_mode & 0o7777
                assert os.stat(place).st_nlink == 1  # only what a model of a run made has two names
                found[os.path.normpath(os.path.join(inside, name))] = content
    return found


def write_tree(root: str, tree: Tree) -> None:
    """Put a state on a real disk."""
    os.mkdir(root)
    for path in sorted(path for path, content in tree.items() if content is None):
        os.mkdir(os.path.join(root, path))
    for path, content in sorted(tree.items()):
        place = os.path.join(root, path)
        if content is not None and len(content) > 2:
            os.link(os.path.join(root, content[2]), place)
        elif content is not None:
            descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _WRITABLE)
            os.write(descriptor, content[0])
            os.close(descriptor)
            if content[1] != _WRITABLE:
                os.chmod(place, content[1])
