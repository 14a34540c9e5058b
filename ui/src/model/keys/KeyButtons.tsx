import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { actionsOf } from "./actionsOf";
import { KeyQuestion, type KeyActions, type Question } from "./KeyQuestion";

/** The actions of a key as buttons, for its page. */
export function KeyButtons(actions: KeyActions) {
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <Group gap={8}>
      {actionsOf(actions, setQuestion).map(({ label, icon: Icon, onClick, isUrgent }) => (
        <Button
          key={label}
          size="compact-sm"
          variant={isUrgent ? "filled" : "default"}
          leftSection={<Icon size={14} aria-hidden />}
          onClick={onClick}
        >
          {label}
        </Button>
      ))}
      {question && <KeyQuestion question={question} actions={actions} onClose={() => setQuestion(null)} />}
    </Group>
  );
}
