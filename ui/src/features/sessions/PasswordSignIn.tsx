import { Alert, Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { signInMethods } from "@/model/signIn/queries";
import { texts } from "@/texts";
import { reloadAt, mailLink, mailReset, signIn } from "./actions";

interface Props {
  returnTo: string;
  problem: string | undefined;
}

const labels = texts.sessions;

export function PasswordSignIn({ returnTo, problem: returned }: Props) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { data } = useQuery(signInMethods);
  const enterWithPassword = useChange({
    change: () => signIn(email, password),
    done: () => reloadAt(returnTo),
    signsIn: true,
  });
  const mail = useChange({
    change: (send: typeof mailLink) => send(email),
    signsIn: true,
  });
  const requestMail = (send: typeof mailLink, form: HTMLFormElement | null) => {
    const field = form?.elements.namedItem("email");
    if (!(field instanceof HTMLInputElement) || !field.reportValidity()) return;
    enterWithPassword.reset();
    mail.mutate(send);
  };
  const error = enterWithPassword.error ?? mail.error;
  const isUntouched = enterWithPassword.isIdle && mail.isIdle;
  const problem = error ? messageOf(error) : returned && isUntouched ? problemText(returned) : "";
  const requested = data?.mail_server === false ? labels.linkStored : labels.mailSent;
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
          {labels.signIn}
        </Title>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {mail.data && (
          <Alert color="iris" role="status">
            {requested(mail.data.email)}
          </Alert>
        )}
        <TextInput
          name="email"
          type="email"
          label={labels.email}
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
          label={labels.password}
          autoComplete="current-password"
          maxLength={200}
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": labels.showPassword, tabIndex: 0 }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={enterWithPassword.isPending}>
          {labels.signIn}
        </Button>
        <Divider label={labels.or} />
        {data?.oidc && (
          <Button
            component="a"
            variant="default"
            href={`${data.oidc.start}?return_to=${encodeURIComponent(returnTo)}`}
          >
            {labels.continueWith(data.oidc.name)}
          </Button>
        )}
        <Button
          variant="default"
          loading={mail.isPending}
          onClick={(event) => requestMail(mailLink, event.currentTarget.form)}
        >
          {data?.mail_server === false ? labels.requestLink : labels.mailLink}
        </Button>
        <Text size="sm">
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={(event) => requestMail(mailReset, event.currentTarget.form)}
          >
            {labels.forgot}
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}

const problemText = (problem: string): string =>
  Object.hasOwn(labels.problems, problem)
    ? labels.problems[problem as keyof typeof labels.problems]
    : labels.problems.other;
