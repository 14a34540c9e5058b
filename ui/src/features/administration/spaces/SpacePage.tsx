import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useNavigate } from "@tanstack/react-router";
import { ChevronLeft, UserPlus } from "lucide-react";
import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import backClasses from "@/kit/layout/BackLink.module.css";
import { QueryResult } from "@/kit/layout/QueryResult";
import { Row, Rows } from "@/kit/layout/Rows";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { spaceMembersKey, spacesKey } from "@/model/queryKeys";
import { type Space, useSpaceMembers } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { EmptyState } from "@/kit/layout/EmptyState";
import { LongList } from "@/kit/layout/LongList";
import { AdministrationPage } from "../AdministrationPage";
import { groupsOf, setGroupRole, SPACE_ROLES, spaceGroupsOf, type SpaceRole } from "../groups";
import { RoleMenu } from "../RoleChoice";
import { Section } from "../Section";
import { useOrganization } from "../useOrganization";
import { spaceOf, updateSpace, deleteSpace } from "./queries";
import { SpaceFields, type SpaceFormValues } from "./SpaceFields";
import { AddMemberDialog } from "./AddMemberDialog";
import { InheritedMembers } from "./InheritedMembers";
import { SpaceMemberRow } from "./SpaceMemberRow";

const labels = administration.spaces;

/** The page of a space: details, members and groups. */
export function SpacePage() {
  const { organizationId } = useOrganization();
  const { spaceId = "" } = useParams({ strict: false });
  const space = useQuery(spaceOf(spaceId));
  const back = (
    <Link
      to="/o/$organizationId/administration/spaces"
      params={{ organizationId }}
      className={backClasses.back}
    >
      <ChevronLeft size={15} aria-hidden /> {labels.all}
    </Link>
  );
  return (
    <AdministrationPage page="spaces" title={space.data?.name ?? "…"} hint={labels.oneHint} back={back}>
      <QueryResult of={space}>
        {(known) => (
          <>
            <SpaceForm key={known.space_id} space={known} />
            <SpaceMembers space={known} />
            <SpaceGroups space={known} />
            <Section title={labels.delete} hint={labels.deleteHint}>
              <DeleteSpaceButton space={known} />
            </Section>
          </>
        )}
      </QueryResult>
    </AdministrationPage>
  );
}

const wantedOf = ({ name, description, visibility }: Space): SpaceFormValues => ({
  name,
  description,
  visibility,
});

function SpaceForm({ space }: { space: Space }) {
  const [wanted, setWanted] = useState(wantedOf(space));
  const known = wantedOf(space);
  const isChanged = (Object.keys(known) as (keyof SpaceFormValues)[]).some(
    (name) => known[name] !== wanted[name],
  );
  const save = useChange({
    change: (content: SpaceFormValues) => updateSpace(space, content),
    invalidates: [spacesKey(), spaceMembersKey(space.space_id)],
    done: texts.app.saved,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ ...wanted, name: wanted.name.trim() });
      }}
    >
      <Stack maw={560}>
        <SpaceFields wanted={wanted} onChange={setWanted} />
        <div>
          <Button type="submit" loading={save.isPending} disabled={!isChanged || !wanted.name.trim()}>
            {texts.app.save}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** The roles of directory groups in a space; renders nothing without groups. */
function SpaceGroups({ space }: { space: Space }) {
  const { data: groups } = useQuery(groupsOf(space.organization_id));
  const { data: given } = useQuery(spaceGroupsOf(space.space_id));
  const set = useChange({
    change: ({ groupId, role }: { groupId: string; role: SpaceRole | "none" }) =>
      setGroupRole(space.space_id, groupId, role),
    invalidates: [spaceGroupsOf(space.space_id).queryKey, spaceMembersKey(space.space_id)],
    done: texts.app.saved,
  });
  if (!groups?.length || !given) return null;
  return (
    <Section title={labels.groups} hint={labels.groupsHint}>
      <Rows label={labels.groups}>
        {groups.map((group) => (
          <Row
            key={group.group_id}
            title={<bdi>{group.name}</bdi>}
            details={administration.directory.members(group.member_count)}
          >
            <RoleMenu
              label={labels.granted(group.name)}
              roles={["none", ...SPACE_ROLES]}
              value={given.find((each) => each.group_id === group.group_id)?.role ?? "none"}
              disabled={set.isPending}
              onChange={(role) => set.mutate({ groupId: group.group_id, role })}
            />
          </Row>
        ))}
      </Rows>
    </Section>
  );
}

/** Deletes a space after its name is typed, because its rooms cannot be restored. */
function DeleteSpaceButton({ space }: { space: Space }) {
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const [typed, setTyped] = useState("");
  const remove = useChange({
    change: () => deleteSpace(space),
    invalidates: [spacesKey()],
    done: () => {
      const params = { organizationId: space.organization_id };
      void navigate({ to: "/o/$organizationId/administration/spaces", params });
    },
    handlesErrors: true,
  });
  return (
    <>
      <Button variant="outline" color="red.8" onClick={() => setConfirming(true)}>
        {labels.deleteOne(space.name)}
      </Button>
      {isConfirming && (
        <FormDialog
          title={labels.deleteOne(space.name)}
          hint={labels.deleteHint}
          action={labels.delete}
          isDangerous
          isIncomplete={typed !== space.name}
          change={remove}
          onSubmit={remove.mutate}
          onClose={() => setConfirming(false)}
        >
          <TextInput
            label={labels.typeName(space.name)}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
        </FormDialog>
      )}
    </>
  );
}

/** The members of a space: those who were added to it, then those who inherit their access. */
function SpaceMembers({ space }: { space: Space }) {
  const members = useSpaceMembers(space.space_id);
  const [isAdding, setAdding] = useState(false);
  const action = (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<UserPlus size={15} aria-hidden />}
      onClick={() => setAdding(true)}
    >
      {labels.add}
    </Button>
  );
  return (
    <QueryResult of={members}>
      {(all) => {
        const added = all.filter((each) => each.granted !== null);
        const inherited = all.filter((each) => each.granted === null);
        return (
          <>
            <Section title={labels.members} hint={labels.membersHint} action={action}>
              {added.length === 0 && <EmptyState title={labels.noneAdded} />}
              {added.length > 0 && (
                <LongList of={added}>
                  {(shown) => (
                    <Rows label={labels.members}>
                      {shown.map((member) => (
                        <SpaceMemberRow key={member.actor_id} space={space} member={member} />
                      ))}
                    </Rows>
                  )}
                </LongList>
              )}
            </Section>
            {inherited.length > 0 && <InheritedMembers space={space} members={inherited} />}
            {isAdding && <AddMemberDialog space={space} members={all} onClose={() => setAdding(false)} />}
          </>
        );
      }}
    </QueryResult>
  );
}
