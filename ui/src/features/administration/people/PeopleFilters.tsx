import { FilterSelect } from "@/kit/input/FilterSelect";
import { SearchField } from "@/kit/input/SearchField";
import { administration } from "@/texts/administration";
import { ROLES } from "../useOrganization";
import { countIn, STATES, type PeopleFilter } from "./filter";
import classes from "./PeopleFilters.module.css";
import type { Member } from "./queries";

interface Props {
  filter: PeopleFilter;
  members: Member[];
  onChange: (filter: PeopleFilter) => void;
}

const labels = administration.people;

/** Choose people by name, state and role. States that nobody is in are not offered. */
export function PeopleFilters({ filter, members, onChange }: Props) {
  const states = STATES.filter((each) => each === filter.state || countIn(each, members) > 0);
  return (
    <div className={classes.filters} role="search" aria-label={labels.filters}>
      <SearchField
        className={classes.find}
        label={labels.find}
        value={filter.find ?? ""}
        onChange={(find) => onChange({ ...filter, find })}
      />
      <FilterSelect
        aria-label={labels.byStatus}
        any={labels.anyStatus}
        value={filter.state}
        choices={states.map((value) => ({ value, label: labels.stateCount(value, countIn(value, members)) }))}
        onChange={(state) => onChange({ ...filter, state })}
      />
      <FilterSelect
        aria-label={labels.byRole}
        any={labels.anyRole}
        value={filter.role}
        choices={ROLES.map((value) => ({ value, label: administration.roles[value] }))}
        onChange={(role) => onChange({ ...filter, role })}
      />
    </div>
  );
}
