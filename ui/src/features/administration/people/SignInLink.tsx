import { Text, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { Dialog } from "@/kit/overlay/Dialog";
import { showNotice } from "@/kit/overlay/notices";
import { useChange } from "@/kit/data/useChange";
import { signInMethods } from "@/model/signIn/queries";
import { administration } from "@/texts/administration";
import { copy } from "@/kit/text/clipboard";
import classes from "@/kit/overlay/SecretAlert.module.css";
import { texts } from "@/texts";
import { mailsOf } from "../mail/queries";
import { useOrganization } from "../useOrganization";
import { createSignInLink, type Member } from "./queries";

const labels = administration.people;

/**
 * Return how to create a sign-in link for a member, on a server that sends no email, and the dialog that shows it to the
 * administrator.
 */
export function useSignInLink({ name, email }: Member) {
  const { organizationId } = useOrganization();
  const { data: methods } = useQuery(signInMethods);
  const create = useChange({
    change: (address: string) => createSignInLink(organizationId, address),
    invalidates: [mailsOf(organizationId).queryKey],
    done: (link) => {
      if (!link) showNotice(labels.noSignInLink(name), { isError: true });
    },
  });
  const isNeeded = email !== null && methods?.mail_server === false;
  return {
    create: isNeeded ? () => create.mutate(email) : null,
    dialog: create.data && (
      <Dialog onClose={create.reset} title={labels.signInLinkTitle(name)} size="lg" centered>
        <Text size="sm" mb="sm">
          {labels.signInLinkHint(name)}
        </Text>
        <SharedLink link={create.data} onDone={create.reset} />
      </Dialog>
    ),
  };
}

interface SharedLinkProps {
  link: string;
  onDone: () => void;
}

/** A link to copy and give to someone. */
function SharedLink({ link, onDone }: SharedLinkProps) {
  return (
    <>
      <code className={classes.key}>{link}</code>
      <Group gap="xs" mt="sm">
        <Button
          size="compact-sm"
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => void copy(link, texts.messages.linkCopied)}
        >
          {texts.messages.copyLink}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDone}>
          {texts.app.close}
        </Button>
      </Group>
    </>
  );
}
