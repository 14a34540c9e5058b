import { Button } from "@mantine/core";
import { useState } from "react";
import { Rows } from "@/kit/layout/Rows";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { Section } from "../Section";
import { InvitationRow } from "./InvitationRow";
import { InvitationResults } from "./InvitationResults";
import type { Invitation, Invited } from "./queries";

const AT_ONCE = 5;
const labels = administration.people;

/** The pending invitations, a few at a time, because they are shown above the members. */
export function InvitationList({ invitations }: { invitations: Invitation[] }) {
  const [shown, setShown] = useState(AT_ONCE);
  const [renewed, setRenewed] = useState<Invited | null>(null);
  const results = renewed && <InvitationResults invited={[renewed]} onClose={() => setRenewed(null)} />;
  if (invitations.length === 0) return results;
  return (
    <Section title={labels.waiting(invitations.length)}>
      <Rows label={labels.invitations}>
        {invitations.slice(0, shown).map((each) => (
          <InvitationRow key={each.invitation_id} invitation={each} onInvited={setRenewed} />
        ))}
      </Rows>
      {invitations.length > shown && (
        <Button variant="default" mt="sm" onClick={() => setShown(shown + 50)}>
          {texts.app.more}
        </Button>
      )}
      {results}
    </Section>
  );
}
