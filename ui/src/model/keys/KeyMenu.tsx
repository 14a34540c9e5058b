import { ActionIcon, Menu } from "@mantine/core";
import { ChartNoAxesColumn, Ellipsis, KeyRound, Pencil, Plus, ScrollText, X } from "lucide-react";
import { useState } from "react";
import { texts } from "@/texts";
import { keyUsage } from "@/texts/keyUsage";
import { KeyQuestion, type KeyActions, type Question } from "./KeyQuestion";

const labels = texts.apiKeys;

/** The menu of a key. What stops it asks for confirmation. */
export function KeyMenu(actions: KeyActions) {
  const { name, hasExpired, onEdit, onAdd, onUsage, onAudit, onRotate } = actions;
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={labels.actionsFor(name)}>
            <Ellipsis size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {onUsage && (
            <Menu.Item leftSection={<ChartNoAxesColumn size={15} aria-hidden />} onClick={onUsage}>
              {keyUsage.view}
            </Menu.Item>
          )}
          {onAudit && (
            <Menu.Item leftSection={<ScrollText size={15} aria-hidden />} onClick={onAudit}>
              {keyUsage.viewAudit}
            </Menu.Item>
          )}
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
            <Menu.Item leftSection={<KeyRound size={15} aria-hidden />} onClick={() => setQuestion("rotate")}>
              {hasExpired ? labels.renew : labels.rotate}
            </Menu.Item>
          )}
          <Menu.Item
            color="red"
            leftSection={<X size={15} aria-hidden />}
            onClick={() => setQuestion("revoke")}
          >
            {labels.revoke}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {question && <KeyQuestion question={question} actions={actions} onClose={() => setQuestion(null)} />}
    </>
  );
}
