import { Autocomplete, Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { administration } from "@/texts/administration";
import { keysOf } from "../integrations/queries";
import { membersOf } from "../people/queries";
import { hasRole, useOrganization } from "../useOrganization";
import classes from "./AuditPage.module.css";
import type { AuditFilters } from "./filters";

interface Props {
  filters: AuditFilters;
  onChoose: (filters: AuditFilters) => void;
}

const labels = administration.audit;

/** The choices of the action filter: all actions of a kind, and single actions. */
const single = Object.keys(labels.actions);
const kinds = [...new Set(single.map((each) => each.split(".")[0] ?? each))];

const ACTIONS: string[] = [...kinds, ...single].sort();

/** The filters of the audit log. Filters by target and key come from links in the entries. */
export function AuditForm({ filters, onChoose }: Props) {
  const { organizationId, role } = useOrganization();
  const [values, setValues] = useState(filters);
  const { data: members = [] } = useQuery(membersOf(organizationId));
  const { data: keys = [] } = useQuery({ ...keysOf(organizationId), enabled: hasRole(role, "admin") });
  const set = (name: "actor" | "from" | "to") => (event: { currentTarget: { value: string } }) =>
    setValues({ ...values, [name]: event.currentTarget.value });
  const people = members.map((each) => ({ value: each.person_id, label: each.name }));
  const programs = keys.map((each) => ({ value: each.integration_id, label: each.name }));
  return (
    <form
      role="search"
      aria-label={labels.filters}
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(values);
      }}
    >
      <Autocomplete
        size="xs"
        label={labels.action}
        placeholder={labels.anyAction}
        data={ACTIONS}
        limit={12}
        value={values.action ?? ""}
        onChange={(action) => setValues({ ...values, action })}
      />
      <NativeSelect
        size="xs"
        label={labels.actor}
        value={values.actor ?? ""}
        onChange={set("actor")}
        data={[
          { value: "", label: labels.anyone },
          { group: administration.pages.people.title, items: people },
          ...(programs.length > 0
            ? [{ group: administration.pages.integrations.title, items: programs }]
            : []),
        ]}
      />
      <TextInput size="xs" type="date" label={labels.from} value={values.from ?? ""} onChange={set("from")} />
      <TextInput size="xs" type="date" label={labels.to} value={values.to ?? ""} onChange={set("to")} />
      <Button size="xs" type="submit">
        {labels.show}
      </Button>
    </form>
  );
}
