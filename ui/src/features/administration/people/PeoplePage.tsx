import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Search, UserPlus } from "lucide-react";
import { useState } from "react";
import { QueryResult } from "@/kit/QueryResult";
import { Rows } from "@/kit/Rows";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { Part } from "../Part";
import { holds, useOrganization } from "../useOrganization";
import { InvitationLink } from "./InvitationLink";
import { InvitationRow } from "./InvitationRow";
import { InviteDialog } from "./InviteDialog";
import { MemberList } from "./MemberList";
import { countOf, found, invitationsOf, membersOf } from "./queries";

const labels = administration.people;

/** The members and pending invitations of an organization. */
export function PeoplePage() {
  const { organizationId, role } = useOrganization();
  const members = useQuery(membersOf(organizationId));
  const { data: invitations } = useQuery(invitationsOf(organizationId));
  const [words, setWords] = useState("");
  const [isInviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<{ email: string; token: string } | null>(null);
  const action = holds(role, "admin") && (
    <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
      {labels.invite}
    </Button>
  );
  return (
    <AdministrationPage {...administration.pages.people} needs="reader" action={action}>
      {invited && <InvitationLink {...invited} onDone={() => setInvited(null)} />}
      {invitations && invitations.length > 0 && (
        <Part title={labels.waiting(invitations.length)}>
          <Rows label={labels.invitations}>
            {invitations.map((each) => (
              <InvitationRow key={each.invitation_id} invitation={each} />
            ))}
          </Rows>
        </Part>
      )}
      <QueryResult of={members}>
        {(all) => (
          <Part
            title={countOf(all, words)}
            action={
              <TextInput
                type="search"
                size="xs"
                w={220}
                aria-label={labels.find}
                placeholder={labels.find}
                leftSection={<Search size={14} aria-hidden />}
                value={words}
                onChange={(event) => setWords(event.currentTarget.value)}
              />
            }
          >
            <MemberList key={words} members={found(all, words)} />
          </Part>
        )}
      </QueryResult>
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(email, token) => {
            setInviting(false);
            setInvited({ email, token });
          }}
        />
      )}
    </AdministrationPage>
  );
}
