import { Button, Group } from "@mantine/core";
import { KeyRound, Pencil, Plus, ScrollText, X } from "lucide-react";
import { useState } from "react";
import { texts } from "@/texts";
import { keyUsage } from "@/texts/keyUsage";
import { KeyQuestion, type KeyActions, type Question } from "./KeyQuestion";

const labels = texts.apiKeys;

/** The actions of a key as buttons, for its page. What stops the key asks for confirmation. */
export function KeyButtons(actions: KeyActions) {
  const { hasExpired, onEdit, onAdd, onAudit, onRotate } = actions;
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <Group gap={8}>
      {onAudit && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<ScrollText size={14} aria-hidden />}
          onClick={onAudit}
        >
          {keyUsage.viewAudit}
        </Button>
      )}
      {onEdit && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Pencil size={14} aria-hidden />}
          onClick={onEdit}
        >
          {labels.edit}
        </Button>
      )}
      {onAdd && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={onAdd}
        >
          {labels.add}
        </Button>
      )}
      {onRotate && (
        <Button
          size="compact-sm"
          variant={hasExpired ? "filled" : "default"}
          leftSection={<KeyRound size={14} aria-hidden />}
          onClick={() => setQuestion("rotate")}
        >
          {hasExpired ? labels.renew : labels.rotate}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<X size={14} aria-hidden />}
        onClick={() => setQuestion("revoke")}
      >
        {labels.revoke}
      </Button>
      {question && <KeyQuestion question={question} actions={actions} onClose={() => setQuestion(null)} />}
    </Group>
  );
}
