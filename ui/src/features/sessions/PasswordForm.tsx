import { Button, PasswordInput, Stack } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { showNotice } from "@/kit/overlay/notices";
import { texts } from "@/texts";
import { NewPasswordField } from "./NewPasswordField";
import { changePassword } from "./queries";

export function PasswordForm() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useChange({
    change: () => changePassword(password, current),
    done: () => {
      setCurrent("");
      setPassword("");
      showNotice(texts.sessions.passwordSet);
    },
    handlesErrors: true,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <Stack gap="sm" maw={400}>
        <PasswordInput
          label={texts.sessions.currentPassword}
          description={texts.sessions.currentPasswordHint}
          autoComplete="current-password"
          maxLength={200}
          visibilityToggleButtonProps={{ "aria-label": texts.sessions.showPassword, tabIndex: 0 }}
          value={current}
          error={change.isError && messageOf(change.error)}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <NewPasswordField label={texts.sessions.newPassword} value={password} onChange={setPassword} />
        <Button type="submit" w="fit-content" loading={change.isPending} disabled={password.length < 12}>
          {texts.sessions.setPassword}
        </Button>
      </Stack>
    </form>
  );
}
