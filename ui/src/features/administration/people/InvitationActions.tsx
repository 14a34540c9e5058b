import { ActionIcon, Menu } from "@mantine/core";
import { Ellipsis, MailX, Send } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "@/kit/overlay/ConfirmDialog";
import { administration } from "@/texts/administration";

interface Props {
  email: string;
  onRenew: () => Promise<unknown>;
  onRevoke: () => Promise<unknown>;
}

const labels = administration.people;

/** The menu of a pending invitation. Both actions end its link, and ask for confirmation. */
export function InvitationActions({ email, onRenew, onRevoke }: Props) {
  const [asked, setAsked] = useState<"sendAgain" | "revoke" | null>(null);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={labels.actionsFor(email)}>
            <Ellipsis size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <bdi>{email}</bdi>
          </Menu.Label>
          <Menu.Item leftSection={<Send size={15} aria-hidden />} onClick={() => setAsked("sendAgain")}>
            {labels.sendAgain}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<MailX size={15} aria-hidden />}
            onClick={() => setAsked("revoke")}
          >
            {labels.revoke}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <ConfirmDialog
          title={labels.ask[asked](email)}
          action={labels[asked]}
          isDangerous={asked === "revoke"}
          onConfirm={asked === "revoke" ? onRevoke : onRenew}
          onClose={() => setAsked(null)}
        >
          {asked === "revoke" ? labels.revokeMore : labels.sendAgainMore}
        </ConfirmDialog>
      )}
    </>
  );
}
