import { ConfirmDialog } from "@/kit/overlay/ConfirmDialog";
import { texts } from "@/texts";

export type Question = "rotate" | "revoke";

/** What the reader can do with a key. */
export interface KeyActions {
  name: string;
  hasExpired: boolean;
  /** For how many days the key is valid once it is rotated; null if it keeps its expiry. */
  rotatedFor?: number | null;
  /** What revoking the key does. */
  revokeHint: string;
  /** Each is left out if the person may not do it. */
  onEdit?: () => void;
  onAdd?: () => void;
  onUsage?: () => void;
  onAudit?: () => void;
  onRotate?: () => Promise<unknown>;
  onRevoke: () => Promise<unknown>;
}

interface Props {
  question: Question;
  actions: KeyActions;
  onClose: () => void;
}

const labels = texts.apiKeys;

/** Asks before a key stops working. */
export function KeyQuestion({ question, actions, onClose }: Props) {
  const { name, hasExpired, revokeHint, onRotate, onRevoke } = actions;
  const change = question === "rotate" && hasExpired ? "renew" : question;
  const days = actions.rotatedFor ?? null;
  const consequences = {
    rotate: days === null ? labels.rotateHint : labels.rotateForHint(days),
    renew: labels.renewHint(days ?? 0),
    revoke: revokeHint,
  };
  return (
    <ConfirmDialog
      title={labels.ask[change](name)}
      action={labels[change]}
      onConfirm={async () => (question === "rotate" ? onRotate?.() : onRevoke())}
      onClose={onClose}
    >
      {consequences[change]}
    </ConfirmDialog>
  );
}
