import { Button } from "@mantine/core";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "@/kit/layout/EmptyState";
import { LongList } from "@/kit/layout/LongList";
import { QueryResult } from "@/kit/layout/QueryResult";
import { Rows } from "@/kit/layout/Rows";
import { useSpaceMembers, type Space } from "@/model/spaces/queries";
import { administration } from "@/texts/administration";
import { Section } from "../Section";
import { AddMemberDialog } from "./AddMemberDialog";
import { InheritedMembers } from "./InheritedMembers";
import { SpaceMemberRow } from "./SpaceMemberRow";

const labels = administration.spaces;

/** The members of a space: those who were added to it, then those who inherit their access. */
export function SpaceMembers({ space }: { space: Space }) {
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
