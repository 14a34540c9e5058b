import { Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { ErrorAlert } from "@/kit/layout/ErrorAlert";
import { texts } from "@/texts";
import { setUp as labels } from "@/texts/setUp";
import { reloadAt } from "../actions";
import { NewPasswordField } from "../NewPasswordField";
import { setUp } from "./queries";

/** Creates the first organization of an empty server, and its first account. */
export function SetUp({ token }: { token: string }) {
  const [fields, setFields] = useState({ organization: "", name: "", email: "", password: "" });
  const set = (name: keyof typeof fields) => (value: string) => setFields({ ...fields, [name]: value });
  const create = useChange({
    change: () => setUp({ token, ...fields }),
    done: () => reloadAt("/"),
    signsIn: true,
  });
  const field = (name: keyof typeof fields) => ({
    required: true,
    withAsterisk: false,
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => set(name)(event.currentTarget.value),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack>
        <Title order={1} size="h3">
          {labels.title}
        </Title>
        <Text size="sm" c="dimmed">
          {labels.hint}
        </Text>
        <ErrorAlert error={create.error} />
        <TextInput
          label={labels.organization}
          description={labels.organizationHint}
          autoComplete="organization"
          maxLength={200}
          autoFocus
          {...field("organization")}
        />
        <TextInput label={texts.sessions.name} autoComplete="name" maxLength={200} {...field("name")} />
        <TextInput
          type="email"
          label={texts.sessions.email}
          autoComplete="username"
          maxLength={254}
          {...field("email")}
        />
        <NewPasswordField
          label={texts.sessions.password}
          value={fields.password}
          onChange={set("password")}
        />
        <Button type="submit" loading={create.isPending}>
          {labels.create}
        </Button>
      </Stack>
    </form>
  );
}
