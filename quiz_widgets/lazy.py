"""A sequence whose entries are made when they are first asked for: a page of a large bank shows a few of its items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Lazy(Sequence[T], Generic[T]):
    """Entries in order, of which the ids and the groups are known before. Equal to any sequence of equal entries."""

    def __init__(self, groups: Mapping[str, str | None], make: Callable[[int], T]) -> None:
        """`groups` names the group of each entry by id, in order; `make` makes the entry at an index."""
        self.groups = groups
        self._make = make
        self._made: dict[int, T] = {}
        self._places: dict[str, int] = {}

    def by_id(self, name: str) -> T:
        """The entry of that id; `KeyError` when there is none."""
        if not self._places:
            self._places.update((known, index) for index, known in enumerate(self.groups))
        return self._at(self._places[name])

    def _at(self, index: int) -> T:
        if index not in self._made:
            self._made[index] = self._make(index)
        return self._made[index]

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        places = range(len(self.groups))[index]
        return self._at(places) if isinstance(places, int) else tuple(self._at(place) for place in places)

    def __iter__(self) -> Iterator[T]:
        return map(self._at, range(len(self.groups)))

    def __len__(self) -> int:
        return len(self.groups)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Lazy | tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # entries hold mappings, which have none

    def __repr__(self) -> str:
        return repr(tuple(self))
