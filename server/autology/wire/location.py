"""Where a project is: its folder, settings, version control and identity."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from autology import places
from autology.wire.part import part

if TYPE_CHECKING:
    from autology.core.doctor import Inspection
    from autology.core.importing.originals import Originals
    from autology.core.nodes.merge_driver import MergeDriver
    from autology.core.nodes.revisions import Revisions
    from autology.core.nodes.version_control import History
    from autology.files.images import ProjectImages
    from autology.model.memory import Scope
    from autology.settings import Settings


class Location:
    """The project at *root*, as far as it is known without reading its notes."""

    def __init__(self, root: str) -> None:
        self._root = root

    @property
    def root(self) -> str:
        """The project's folder."""
        return self._root

    @property
    def settings(self) -> Settings:
        """The current settings."""
        from autology import hook_events, settings

        stamp = hook_events.settings_stamp()
        current = settings.load(self.root)
        hook_events.remember(current.hooks, current.suggestions, stamp)
        return current

    @part
    def history(self) -> History:
        """The version control history of the project's files."""
        from autology.vcs.git import Git

        return Git(self.root)

    @part
    def revisions(self) -> Revisions:
        """The version control history of single files."""
        from autology.vcs.file_revisions import GitRevisions

        return GitRevisions(self.root)

    @property
    def merge_driver(self) -> MergeDriver:
        """Git's merge driver configuration for the project's notes."""
        from autology.vcs.merge_driver import GitMergeDriver

        return GitMergeDriver(self.root)

    @property
    def originals(self) -> Originals:
        """The files that can be imported: the project's, or those in a folder that the user names."""
        from autology.files.originals import ProjectOriginals

        return ProjectOriginals(self.root)

    @property
    def images(self) -> ProjectImages:
        """The images in the project's folder."""
        from autology.files.images import ProjectImages

        return ProjectImages(self.root)

    @property
    def inspection(self) -> Inspection:
        """A read-only inspection of the project's `.autology` folder."""
        from autology.files.inspection import FolderInspection

        return FolderInspection(self.root)

    @property
    def names(self) -> tuple[str, ...]:
        """The project's identity, shared by all worktrees of a repository wherever it is moved, and former ones."""
        from autology.vcs.projects import learned

        return learned(self.root, places.project_registry())[0]

    def names_of(self, project: str) -> tuple[str, ...]:
        """Return all identities of *project*: a folder, or this project's name.

        Empty if it is neither: a folder around projects, or a name that only the index may know.
        """
        from autology.vcs.projects import named

        return named(project, self.root, places.project_registry())

    @property
    def branch(self) -> str | None:
        """The branch that is checked out, or None."""
        from autology.vcs.project_identity import branch

        return branch(self.root)

    @property
    def default_scope(self) -> Scope:
        """The scope of memories that are given none. Raises ValidationError if the environment names an invalid one."""
        from autology.core.memory import scopes

        options = self.settings
        configured = scopes.ScopeSources(
            options.memory_org, options.memory_project, lambda: self.names[0], lambda: self.branch
        )
        return scopes.default(os.environ, configured)

    @property
    def index_state(self) -> str:
        """A value that changes whenever the index does."""
        from autology.index.index_file import state

        return state(places.index_file(self.root))

    @property
    def index_size(self) -> int:
        """The size of the index in bytes, with its log."""
        from autology.index.index_file import size

        return size(places.index_file(self.root))
