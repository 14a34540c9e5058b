import { Alert, Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/api/refusal";
import { texts } from "@/texts";
import { enter, mailLink, mailReset, methods, signIn } from "./actions";

interface Props {
  returnTo: string;
  problem: string | undefined;
}

const said = texts.sessions;

export function PasswordSignIn({ returnTo, problem }: Props) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [sent, setSent] = useState("");
  const { data } = useQuery(methods);
  const meta = { signsIn: true };
  const enterWithPassword = useMutation({
    meta,
    mutationFn: () => signIn(email, password),
    onSuccess: () => enter(returnTo),
  });
  const mail = useMutation({
    meta,
    mutationFn: (send: (email: string) => Promise<unknown>) => send(email),
    onSuccess: () => setSent(said.mailSent(email)),
  });
  const askForMail = (send: (email: string) => Promise<unknown>, form: HTMLFormElement | null) => {
    const field = form?.elements.namedItem("email");
    if (field instanceof HTMLInputElement && field.reportValidity()) mail.mutate(send);
  };
  const error = enterWithPassword.error ?? mail.error;
  const trouble = error ? messageOf(error) : problem ? problemText(problem) : "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mail.reset();
        enterWithPassword.mutate();
      }}
    >
      <Stack gap="md">
        <Title order={1} size="h3">
          {said.signIn}
        </Title>
        {trouble && (
          <Alert color="red" role="alert">
            {trouble}
          </Alert>
        )}
        {sent && !trouble && (
          <Alert color="iris" role="status">
            {sent}
          </Alert>
        )}
        <TextInput
          name="email"
          type="email"
          label={said.email}
          autoComplete="username"
          maxLength={254}
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoFocus
        />
        <PasswordInput
          name="password"
          label={said.password}
          autoComplete="current-password"
          maxLength={200}
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": said.showPassword, tabIndex: 0 }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={enterWithPassword.isPending}>
          {said.signIn}
        </Button>
        <Divider label={said.or} />
        {data?.oidc && (
          <Button
            component="a"
            variant="default"
            href={`${data.oidc.start}?return_to=${encodeURIComponent(returnTo)}`}
          >
            {said.continueWith(data.oidc.name)}
          </Button>
        )}
        <Button
          variant="default"
          loading={mail.isPending}
          onClick={(event) => askForMail(mailLink, event.currentTarget.form)}
        >
          {said.mailLink}
        </Button>
        <Text size="sm">
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={(event) => askForMail(mailReset, event.currentTarget.form)}
          >
            {said.forgot}
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}

const problemText = (problem: string): string =>
  Object.hasOwn(said.problems, problem)
    ? said.problems[problem as keyof typeof said.problems]
    : said.problems.other;
