import { NativeSelect, TextInput } from "@mantine/core";
import { Search } from "lucide-react";
import { administration } from "@/texts/administration";
import { ROLES, type Role } from "../useOrganization";
import { countIn, STATES, type PeopleFilter, type State } from "./filter";
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
      <TextInput
        type="search"
        className={classes.find}
        size="xs"
        aria-label={labels.find}
        placeholder={labels.find}
        leftSection={<Search size={14} aria-hidden />}
        value={filter.find ?? ""}
        onChange={(event) => onChange({ ...filter, find: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        aria-label={labels.byStatus}
        value={filter.state ?? ""}
        data={[
          { value: "", label: labels.anyStatus },
          ...states.map((value) => ({ value, label: labels.stateCount(value, countIn(value, members)) })),
        ]}
        onChange={(event) => onChange({ ...filter, state: event.currentTarget.value as State })}
      />
      <NativeSelect
        size="xs"
        aria-label={labels.byRole}
        value={filter.role ?? ""}
        data={[
          { value: "", label: labels.anyRole },
          ...ROLES.map((value) => ({ value, label: administration.roles[value] })),
        ]}
        onChange={(event) => onChange({ ...filter, role: event.currentTarget.value as Role })}
      />
    </div>
  );
}
