import { Badge, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { browserOf } from "@/kit/text/browser";
import { useChange } from "@/kit/data/useChange";
import { Loading } from "@/kit/layout/Loading";
import classes from "@/kit/layout/SettingsList.module.css";
import { formatRelative } from "@/kit/text/times";
import { texts } from "@/texts";
import { endOtherSessions, endSession, ownSessions } from "./queries";

/** The person's active sessions. */
export function SessionList() {
  const { data: sessions } = useQuery(ownSessions);
  const invalidates = [ownSessions.queryKey];
  const end = useChange({ change: endSession, invalidates });
  const endOthers = useChange({ change: endOtherSessions, invalidates });
  if (!sessions) return <Loading />;
  return (
    <>
      <ul className={classes.keys}>
        {sessions.map((each) => (
          <li key={each.session_id}>
            <div className={classes.about}>
              <b>{browserOf(each.user_agent)}</b>
              <span>
                {each.address} · {texts.sessions.since(formatRelative(each.created_at, new Date()))}
              </span>
            </div>
            {each.current ? (
              <Badge variant="light" tt="none">
                {texts.sessions.thisOne}
              </Badge>
            ) : (
              <Button size="compact-sm" variant="default" onClick={() => end.mutate(each)}>
                {texts.sessions.signOut}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {texts.sessions.signOutOthers}
        </Button>
      )}
    </>
  );
}
