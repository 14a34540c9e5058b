import { Alert, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useStore } from "@/kit/data/store";
import { texts } from "@/texts";
import { showExample } from "./desktop";
import { chooseLevel, isOffered, level, LEVELS, type Level } from "./level";

const labels = texts.notifications;

/** The notification level of this browser, and the browser's permission. */
export function NotificationsForm() {
  const chosen = useStore(level);
  const [isBlocked, setBlocked] = useState(
    () => isOffered() && chosen !== "off" && Notification.permission !== "granted",
  );
  if (!isOffered()) return <Text c="dimmed">{labels.missing}</Text>;
  const choose = (wanted: string) =>
    void chooseLevel(wanted as Level).then((isAllowed) => setBlocked(!isAllowed));
  return (
    <Stack gap="sm" align="flex-start">
      <Group gap="sm">
        <SegmentedControl
          aria-label={labels.label}
          value={chosen}
          onChange={choose}
          data={LEVELS.map((value) => ({ value, label: labels.levels[value] }))}
        />
        {chosen !== "off" && !isBlocked && (
          <Button variant="default" onClick={showExample}>
            {labels.test}
          </Button>
        )}
      </Group>
      {isBlocked && (
        <Alert color="yellow" role="alert">
          {labels.blocked}
        </Alert>
      )}
    </Stack>
  );
}
