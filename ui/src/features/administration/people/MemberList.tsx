import { Button } from "@mantine/core";
import { useState } from "react";
import { EmptyState } from "@/kit/EmptyState";
import { Rows } from "@/kit/Rows";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { MemberRow } from "./MemberRow";
import type { Member } from "./queries";

const AT_ONCE = 50;
const labels = administration.people;

/** The members, fifty at a time, because an organization can have thousands. */
export function MemberList({ members }: { members: Member[] }) {
  const [shown, setShown] = useState(AT_ONCE);
  if (members.length === 0) return <EmptyState title={labels.nobody} />;
  return (
    <>
      <Rows label={administration.pages.people.title}>
        {members.slice(0, shown).map((each) => (
          <MemberRow key={each.person_id} member={each} />
        ))}
      </Rows>
      {members.length > shown && (
        <Button variant="default" mt="sm" onClick={() => setShown(shown + 4 * AT_ONCE)}>
          {texts.app.more}
        </Button>
      )}
    </>
  );
}
