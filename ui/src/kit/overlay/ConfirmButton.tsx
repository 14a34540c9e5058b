import { Button, Popover, Stack, Text } from "@mantine/core";
import { useState } from "react";

interface Props {
  /** The consequence, shown before the action. */
  question: string;
  action: string;
  isDangerous?: boolean;
  onConfirm: () => void;
}

/** A button that asks for confirmation. */
export function ConfirmButton({ question, action, isDangerous, onConfirm }: Props) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <Popover opened={isConfirming} onChange={setConfirming} width={280} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button size="compact-sm" variant="default" onClick={() => setConfirming(!isConfirming)}>
          {action}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="sm">{question}</Text>
          <Button
            size="compact-md"
            color={isDangerous ? "red.8" : undefined}
            onClick={() => {
              setConfirming(false);
              onConfirm();
            }}
          >
            {action}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
