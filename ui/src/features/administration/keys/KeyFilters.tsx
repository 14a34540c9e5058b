import { NativeSelect } from "@mantine/core";
import { FilterSelect } from "@/kit/input/FilterSelect";
import { SearchField } from "@/kit/input/SearchField";
import { ALL_SCOPES } from "@/model/keys/limits";
import { managedKeys as labels } from "@/texts/managedKeys";
import { nameOf, sortOf, STATES, toggleState, type KeyFilter, type State } from "./filter";
import classes from "./KeyListing.module.css";

interface Props {
  filter: KeyFilter;
  /** How many of all keys are in each state. */
  counts: Record<State, number>;
  /** The people to choose from, with their names. */
  people?: { id: string; name: string }[];
  onChange: (filter: KeyFilter) => void;
}

/** Choose keys by name, state, scope and person, and sort them. The states show how many keys are in each. */
export function KeyFilters({ filter, counts, people, onChange }: Props) {
  return (
    <div role="search" aria-label={labels.filters} className={classes.filters}>
      <div className={classes.states}>
        {STATES.map((state) => {
          const isChosen = filter.states.includes(state);
          return (
            <button
              key={state}
              type="button"
              aria-pressed={isChosen}
              title={labels.statesHint[state]}
              disabled={counts[state] === 0 && !isChosen}
              onClick={() => onChange(toggleState(filter, state))}
            >
              {labels.states[state]} <span className={classes.count}>{counts[state].toLocaleString()}</span>
            </button>
          );
        })}
      </div>
      <div className={classes.fields}>
        <SearchField
          className={classes.find}
          label={labels.find}
          value={filter.find}
          onChange={(find) => onChange({ ...filter, find })}
        />
        {people && (
          <FilterSelect
            aria-label={labels.byPerson}
            any={labels.anyPerson}
            value={filter.person}
            choices={people.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(person) => onChange({ ...filter, person })}
          />
        )}
        <FilterSelect
          aria-label={labels.byScope}
          title={labels.scopeHint}
          any={labels.anyScope}
          value={filter.scope}
          choices={ALL_SCOPES.map((value) => ({ value, label: value }))}
          onChange={(scope) => onChange({ ...filter, scope })}
        />
        <NativeSelect
          size="xs"
          className={classes.sort}
          aria-label={labels.sortBy}
          value={nameOf(filter.sort)}
          data={Object.entries(labels.orders).map(([value, label]) => ({ value, label }))}
          onChange={(event) => onChange({ ...filter, sort: sortOf(event.currentTarget.value) })}
        />
      </div>
    </div>
  );
}
