import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { ApiError } from "@/api/errors";
import { unwrap } from "@/api/errors";
import { setTitle } from "@/kit/layout/title";
import { texts } from "@/texts";
import { Invitation } from "./Invitation";
import { readLinkTokens, storedInvitation, localPath } from "./link";
import { LinkSignIn } from "./LinkSignIn";
import { NewPassword } from "./NewPassword";
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
