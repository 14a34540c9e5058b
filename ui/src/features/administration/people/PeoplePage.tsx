import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download, UserPlus } from "lucide-react";
import { useState } from "react";
import { toCsv } from "@/kit/text/csv";
import { QueryResult } from "@/kit/layout/QueryResult";
import { administration } from "@/texts/administration";
import { FilterSelect } from "@/kit/input/FilterSelect";
import { SearchField } from "@/kit/input/SearchField";
import { AdministrationPage } from "../AdministrationPage";
import { Section } from "../Section";
import { hasRole, useOrganization, ROLES } from "../useOrganization";
import { filterMembers, peopleFilterOf, type PeopleFilter, countIn, STATES } from "./filter";
import { InvitationList } from "./InvitationList";
import { InvitationResults } from "./InvitationResults";
import { InviteDialog } from "./InviteDialog";
import { toRows, countOf } from "./listing";
import { MemberList } from "./MemberList";
import { invitationsOf, membersOf, type Invited, type Member } from "./queries";
import { WorkingKeys } from "./WorkingKeys";
import classes from "./PeopleFilters.module.css";

const labels = administration.people;

/** The members and pending invitations of an organization. */
export function PeoplePage() {
  const { organizationId, role } = useOrganization();
  const members = useQuery(membersOf(organizationId));
  const { data: invitations } = useQuery(invitationsOf(organizationId));
  const given = useSearch({ strict: false });
  const [find, setFind] = useState(given.find ?? "");
  const filter = { ...peopleFilterOf(given), find };
  const navigate = useNavigate();
  const [isInviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<Invited[]>([]);
  const choose = (wanted: PeopleFilter) => {
    const search = peopleFilterOf(wanted);
    setFind(wanted.find ?? "");
    void navigate({ to: "/o/$organizationId/administration/people", params: { organizationId }, search });
  };
  const action = (
    <>
      <Button
        variant="default"
        leftSection={<Download size={16} aria-hidden />}
        disabled={!members.data}
        onClick={() =>
          downloadText("people.csv", toCsv(toRows(filterMembers(filter, members.data ?? []))), "text/csv")
        }
      >
        {labels.export}
      </Button>
      {hasRole(role, "admin") && (
        <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
          {labels.invite}
        </Button>
      )}
    </>
  );
  return (
    <AdministrationPage page="people" action={action}>
      {invitations && <InvitationList invitations={invitations} />}
      <QueryResult of={members}>
        {(all) => (
          <Section
            title={countOf(filter, all)}
            action={<PeopleFilters filter={filter} members={all} onChange={choose} />}
          >
            <MemberList key={JSON.stringify(filter)} members={filterMembers(filter, all)} />
          </Section>
        )}
      </QueryResult>
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(outcomes) => {
            setInviting(false);
            setInvited(outcomes);
          }}
        />
      )}
      <WorkingKeys />
      {invited.length > 0 && <InvitationResults invited={invited} onClose={() => setInvited([])} />}
    </AdministrationPage>
  );
}

/** Save text as a file. It begins with a byte-order mark, without which Excel doesn't read it as UTF-8. */
function downloadText(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob(["\uFEFF", text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

interface PeopleFiltersProps {
  filter: PeopleFilter;
  members: Member[];
  onChange: (filter: PeopleFilter) => void;
}

/** Choose people by name, state and role. States that nobody is in are not offered. */
function PeopleFilters({ filter, members, onChange }: PeopleFiltersProps) {
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
