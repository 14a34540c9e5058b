import { ChartNoAxesColumn, KeyRound, Pencil, Plus, ScrollText, X, type LucideIcon } from "lucide-react";
import { texts } from "@/texts";
import { keyUsage } from "@/texts/keyUsage";
import type { KeyActions, Question } from "./KeyQuestion";

const labels = texts.apiKeys;

interface Action {
  label: string;
  icon: LucideIcon;
  onClick?: () => void;
  /** It replaces a key that no longer works. */
  isUrgent?: boolean;
  /** It ends the key. */
  isFinal?: boolean;
}

/** Return what the reader can do with a key, in order. What stops the key asks for confirmation through `ask`. */
export function actionsOf(actions: KeyActions, ask: (question: Question) => void): Action[] {
  const { hasExpired, onUsage, onAudit, onEdit, onAdd, onRotate } = actions;
  const all: Action[] = [
    { label: keyUsage.view, icon: ChartNoAxesColumn, onClick: onUsage },
    { label: keyUsage.viewAudit, icon: ScrollText, onClick: onAudit },
    { label: labels.edit, icon: Pencil, onClick: onEdit },
    { label: labels.add, icon: Plus, onClick: onAdd },
    {
      label: hasExpired ? labels.renew : labels.rotate,
      icon: KeyRound,
      onClick: onRotate && (() => ask("rotate")),
      isUrgent: hasExpired,
    },
    { label: labels.revoke, icon: X, onClick: () => ask("revoke"), isFinal: true },
  ];
  return all.filter((each) => each.onClick);
}
