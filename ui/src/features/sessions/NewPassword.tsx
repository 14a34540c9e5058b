import { Alert, Button, Checkbox, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { texts } from "@/texts";
import { reloadAt, setNewPassword } from "./actions";
import { NewPasswordField } from "./NewPasswordField";

export function NewPassword({ token }: { token: string }) {
  const [password, setPassword] = useState("");
  const [revokesKeys, setRevokesKeys] = useState(false);
  const set = useChange({
    change: () => setNewPassword(token, password, revokesKeys),
    done: () => reloadAt("/"),
    signsIn: true,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate();
      }}
    >
      <Stack>
        <Title order={1} size="h3">
          {texts.sessions.newPasswordTitle}
        </Title>
        {set.isError && (
          <Alert color="red" role="alert">
            {messageOf(set.error)}
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          {texts.sessions.newPasswordMore}
        </Text>
        <NewPasswordField label={texts.sessions.newPassword} value={password} onChange={setPassword} />
        <Checkbox
          label={texts.sessions.revokeKeys}
          description={texts.sessions.revokeKeysMore}
          checked={revokesKeys}
          onChange={(event) => setRevokesKeys(event.currentTarget.checked)}
        />
        <Button type="submit" loading={set.isPending}>
          {texts.sessions.setPassword}
        </Button>
      </Stack>
    </form>
  );
}
