import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { EmptyState } from "@/kit/layout/EmptyState";
import { LongList } from "@/kit/layout/LongList";
import { managedKeys as labels } from "@/texts/managedKeys";
import { Section } from "../Section";
import {
  filterKeys,
  isFiltering,
  keyFilterOf,
  sortBy,
  STATES,
  statesOf,
  type Key,
  type Listed,
  type State,
  keySearchOf,
  type KeyFilter,
  type KeySearch,
} from "./filter";
import { KeyFilters } from "./KeyFilters";
import { KeyTable } from "./KeyTable";

interface Props<K extends Key> {
  label: string;
  all: Listed<K>[];
  people?: { id: string; name: string }[];
  renderRow: (known: K) => ReactNode;
}

/** All keys of a kind, filtered and sorted by the reader, fifty at a time. */
export function KeyListing<K extends Key>({ label, all, people, renderRow }: Props<K>) {
  const [filter, setFilter] = useKeyFilter();
  const now = new Date();
  const found = filterKeys(filter, all, now);
  const title = isFiltering(filter) ? labels.found(found.length, all.length) : labels.keys(all.length);
  const clear = (
    <Button
      size="compact-sm"
      variant="subtle"
      onClick={() => setFilter({ ...keyFilterOf({}), sort: filter.sort })}
    >
      {labels.clear}
    </Button>
  );
  return (
    <Section title={title} action={isFiltering(filter) && clear}>
      <KeyFilters filter={filter} counts={countStates(all, now)} people={people} onChange={setFilter} />
      {found.length === 0 ? (
        <EmptyState title={labels.none} />
      ) : (
        <LongList of={found}>
          {(shown) => (
            <KeyTable label={label} sort={filter.sort} onSort={(by) => setFilter(sortBy(filter, by))}>
              {shown.map(({ known }) => renderRow(known))}
            </KeyTable>
          )}
        </LongList>
      )}
    </Section>
  );
}

/** Return how many keys are in each state. */
function countStates<K extends Key>(all: Listed<K>[], now: Date): Record<State, number> {
  const states = all.flatMap(({ known }) => statesOf(known, now));
  const counts = STATES.map((state) => [state, states.filter((each) => each === state).length]);
  return Object.fromEntries(counts) as Record<State, number>;
}

/** Return the filter of a list of keys, and a function that changes it in the URL. */
function useKeyFilter(): [KeyFilter, (filter: KeyFilter) => void] {
  const search: KeySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  // Typing shows what is typed immediately, not only once the router has the URL.
  const [find, setFind] = useState(search.find ?? "");
  const change = (filter: KeyFilter) => {
    setFind(filter.find);
    void navigate({ to: ".", search: keySearchOf(filter), replace: true, resetScroll: false });
  };
  return [{ ...keyFilterOf(search), find }, change];
}
