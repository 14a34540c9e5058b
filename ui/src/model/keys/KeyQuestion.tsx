import { ConfirmDialog } from "@/kit/ConfirmDialog";
import { texts } from "@/texts";

export type Question = "rotate" | "revoke";

/** What the reader can do with a key. */
export interface KeyActions {
  name: string;
  hasExpired: boolean;
  /** What revoking the key does. */
  revokeMore: string;
  /** Each is left out if the person may not do it. */
  onEdit?: () => void;
  onAdd?: () => void;
  onUsage?: () => void;
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
  const { name, hasExpired, revokeMore, onRotate, onRevoke } = actions;
  const change = question === "rotate" && hasExpired ? "renew" : question;
  const consequences = { rotate: labels.rotateMore, renew: labels.renewMore, revoke: revokeMore };
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
