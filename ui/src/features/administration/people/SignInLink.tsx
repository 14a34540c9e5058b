import { Button, Modal, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { showNotice } from "@/kit/notices";
import { useChange } from "@/kit/useChange";
import { signInMethods } from "@/model/signIn/queries";
import { administration } from "@/texts/administration";
import { mailsOf } from "../mail/queries";
import { useOrganization } from "../useOrganization";
import { createSignInLink, type Member } from "./queries";
import { SharedLink } from "./SharedLink";

const labels = administration.people;

/** Creates a sign-in link for a member and shows it to the administrator, on a server that sends no email. */
export function SignInLink({ member: { name, email } }: { member: Member }) {
  const { organizationId } = useOrganization();
  const { data: methods } = useQuery(signInMethods);
  const create = useChange({
    change: (address: string) => createSignInLink(organizationId, address),
    invalidates: [mailsOf(organizationId).queryKey],
    done: (link) => {
      if (!link) showNotice(labels.noSignInLink(name), { isError: true });
    },
  });
  if (!email || methods?.mail_server !== false) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={labels.signInLinkOf(name)}
        loading={create.isPending}
        onClick={() => create.mutate(email)}
      >
        {labels.signInLink}
      </Button>
      {create.data && (
        <Modal opened onClose={create.reset} title={labels.signInLinkTitle(name)} size="lg" centered>
          <Text size="sm" mb="sm">
            {labels.signInLinkMore(name)}
          </Text>
          <SharedLink link={create.data} onDone={create.reset} />
        </Modal>
      )}
    </>
  );
}
