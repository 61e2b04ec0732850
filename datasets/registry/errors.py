"""What can be wrong with the models that a table keeps."""

from __future__ import annotations

from datasets.shards import DataSetError


class RegistryError(DataSetError):
    """The kept models, or one version of them, cannot be used; says which and why."""
