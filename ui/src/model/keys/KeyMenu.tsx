import { ActionIcon, Menu } from "@mantine/core";
import { Ellipsis, KeyRound, Pencil, Plus, X } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "@/kit/ConfirmDialog";
import { texts } from "@/texts";

interface Props {
  name: string;
  hasExpired: boolean;
  /** What revoking the key does. */
  revokeMore: string;
  /** Each is left out if the person may not do it. */
  onEdit?: () => void;
  onAdd?: () => void;
  onRotate?: () => Promise<unknown>;
  onRevoke: () => Promise<unknown>;
}

const labels = texts.apiKeys;

/** The menu of a key. What stops it asks for confirmation. */
export function KeyMenu({ name, hasExpired, revokeMore, onEdit, onAdd, onRotate, onRevoke }: Props) {
  const [asked, setAsked] = useState<"rotate" | "revoke" | null>(null);
  const asks = {
    rotate: { more: hasExpired ? labels.renewMore : labels.rotateMore, act: onRotate },
    revoke: { more: revokeMore, act: onRevoke },
  };
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={labels.actionsFor(name)}>
            <Ellipsis size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {onEdit && (
            <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={onEdit}>
              {labels.edit}
            </Menu.Item>
          )}
          {onAdd && (
            <Menu.Item leftSection={<Plus size={15} aria-hidden />} onClick={onAdd}>
              {labels.add}
            </Menu.Item>
          )}
          {onRotate && (
            <Menu.Item leftSection={<KeyRound size={15} aria-hidden />} onClick={() => setAsked("rotate")}>
              {labels.rotate}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<X size={15} aria-hidden />} onClick={() => setAsked("revoke")}>
            {labels.revoke}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked && (
        <ConfirmDialog
          title={labels.ask[asked](name)}
          action={labels[asked]}
          onConfirm={async () => asks[asked].act?.()}
          onClose={() => setAsked(null)}
        >
          {asks[asked].more}
        </ConfirmDialog>
      )}
    </>
  );
}
