import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Anchor, Button, Stack, Text, Title, Checkbox } from "@mantine/core";
import { api } from "@/api/client";
import { ApiError, unwrap } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { ErrorAlert } from "@/kit/layout/ErrorAlert";
import { setTitle } from "@/kit/layout/title";
import { texts } from "@/texts";
import { reloadAt, signInByLink, setNewPassword } from "./actions";
import { Invitation } from "./Invitation";
import { readLinkTokens, storedInvitation, localPath, dropToken } from "./link";
import { NewPasswordField } from "./NewPasswordField";
import { PasswordSignIn } from "./PasswordSignIn";
import { EmptyServer } from "./setUp/EmptyServer";
import { SetUp } from "./setUp/SetUp";
import classes from "./SignInPage.module.css";

/** The sign-in page, also for the links in emails. */
export function SignInPage() {
  const { return_to, problem: returned } = useSearch({ from: "/sign-in" });
  const [problem] = useState(returned); // still shown after it is removed from the address bar
  const [brought] = useState(() =>
    readLinkTokens(location.hash, location.search, history.state, storedInvitation()),
  );
  const returnTo = localPath(return_to);
  useEffect(() => {
    setTitle(texts.sessions.signIn);
    // Remove the token from the address bar; the browser keeps it for a reload.
    const clean = return_to ? `?return_to=${encodeURIComponent(returnTo)}` : "";
    history.replaceState({ ...history.state, brought }, "", location.pathname + clean);
    const reload = () => location.reload();
    addEventListener("hashchange", reload);
    return () => removeEventListener("hashchange", reload);
  }, [return_to, returnTo, brought]);
  const { data: signedIn } = useQuery({
    queryKey: ["signed-in-as"],
    enabled: brought.invitation !== null,
    retry: false,
    queryFn: () =>
      unwrap(api.GET("/v1/me/profile")).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }),
  });
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <p className={classes.brand}>
          <img src="/icon.svg" alt="" width={26} height={26} /> Atrium
        </p>
        {brought.link && <LinkSignIn token={brought.link} returnTo={returnTo} />}
        {brought.reset && <NewPassword token={brought.reset} />}
        {brought.invitation && signedIn !== undefined && (
          <Invitation token={brought.invitation} signedInAs={signedIn} />
        )}
        {brought.setUp && <SetUp token={brought.setUp} />}
        {Object.values(brought).every((each) => !each) && (
          <EmptyServer>
            <PasswordSignIn returnTo={returnTo} problem={problem} />
          </EmptyServer>
        )}
      </div>
    </main>
  );
}

interface Props {
  token: string;
  returnTo: string;
}

/** Sign-in by a link, which works once. It takes a click, because mail scanners open links. */
function LinkSignIn({ token, returnTo }: Props) {
  const use = useChange({
    change: () => signInByLink(token),
    done: () => reloadAt(returnTo),
    signsIn: true,
  });
  const isEnded = use.error instanceof ApiError && !use.error.isTransient && use.error.status < 500; // another try cannot help
  return (
    <Stack>
      <Title order={1} size="h3">
        {texts.sessions.signIn}
      </Title>
      <ErrorAlert error={use.error} />
      {!isEnded && (
        <>
          <Text>{texts.sessions.linkHint}</Text>
          <Button loading={use.isPending} onClick={() => use.mutate()} autoFocus>
            {texts.sessions.signIn}
          </Button>
        </>
      )}
      <Anchor href="/sign-in" size="sm" onClick={dropToken}>
        {texts.sessions.anotherWay}
      </Anchor>
    </Stack>
  );
}

function NewPassword({ token }: { token: string }) {
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
        <ErrorAlert error={set.error} />
        <Text size="sm" c="dimmed">
          {texts.sessions.newPasswordHint}
        </Text>
        <NewPasswordField label={texts.sessions.newPassword} value={password} onChange={setPassword} />
        <Checkbox
          label={texts.sessions.revokeKeys}
          description={texts.sessions.revokeKeysHint}
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
