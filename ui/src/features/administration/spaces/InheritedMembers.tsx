import { Button } from "@mantine/core";
import { useState } from "react";
import { SearchField } from "@/kit/input/SearchField";
import { EmptyState } from "@/kit/layout/EmptyState";
import { LongList } from "@/kit/layout/LongList";
import { matchScore } from "@/kit/text/matching";
import { Rows } from "@/kit/layout/Rows";
import type { Space, SpaceMember } from "@/model/spaces/queries";
import { administration } from "@/texts/administration";
import { Section } from "../Section";
import { SpaceMemberRow } from "./SpaceMemberRow";

interface Props {
  space: Space;
  members: SpaceMember[];
}

const labels = administration.spaces;

/** Who has access without having been added. An open space has all members of its organization, so it opens on demand. */
export function InheritedMembers({ space, members }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [find, setFind] = useState("");
  const found = members.filter((each) => matchScore(each.name, find) > 0);
  const toggle = (
    <Button size="compact-sm" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? labels.hideInherited : labels.showInherited(members.length)}
    </Button>
  );
  return (
    <Section title={labels.inherited(members.length)} hint={labels.inheritedHint} action={toggle}>
      {isOpen && (
        <>
          {members.length > 8 && (
            <SearchField mb="sm" maw={280} label={labels.findMember} value={find} onChange={setFind} />
          )}
          {found.length === 0 && <EmptyState title={administration.people.nobody} />}
          {found.length > 0 && (
            <LongList of={found}>
              {(shown) => (
                <Rows label={labels.inherited(members.length)}>
                  {shown.map((member) => (
                    <SpaceMemberRow key={member.actor_id} space={space} member={member} />
                  ))}
                </Rows>
              )}
            </LongList>
          )}
        </>
      )}
    </Section>
  );
}
