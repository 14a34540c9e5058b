import { ActionIcon, Menu } from "@mantine/core";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { texts } from "@/texts";
import { actionsOf } from "./actionsOf";
import { KeyQuestion, type KeyActions, type Question } from "./KeyQuestion";

/** The actions of a key as a menu. */
export function KeyMenu(actions: KeyActions) {
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={texts.apiKeys.actionsFor(actions.name)}
          >
            <Ellipsis size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actionsOf(actions, setQuestion).map(({ label, icon: Icon, onClick, isFinal }) => (
            <Menu.Item
              key={label}
              color={isFinal ? "red" : undefined}
              leftSection={<Icon size={15} aria-hidden />}
              onClick={onClick}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {question && <KeyQuestion question={question} actions={actions} onClose={() => setQuestion(null)} />}
    </>
  );
}
