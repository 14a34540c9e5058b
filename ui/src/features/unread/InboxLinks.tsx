import { Link } from "@tanstack/react-router";
import { AtSign, MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { CountBadge } from "@/kit/CountBadge";
import { totalsOf } from "@/model/unread/counts";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import classes from "./InboxLinks.module.css";

interface Props {
  organizationId: string;
  onChosen: () => void;
}

/** The sidebar's links to the reader's threads and mentions, with what is new there. */
export function InboxLinks({ organizationId, onChosen }: Props) {
  const { data } = useUnread(organizationId);
  const totals = data && totalsOf(data);
  const common = { params: { organizationId }, className: classes.link, onClick: onChosen };
  return (
    <nav className={classes.links} aria-label={texts.inbox.label}>
      <Link
        to="/o/$organizationId/threads"
        {...common}
        activeProps={{ "data-active": true, "aria-current": "page" }}
        activeOptions={{ includeSearch: false }}
        data-unread={totals?.threads ? true : undefined}
      >
        <MessagesSquare size={16} aria-hidden />
        <Name>{texts.inbox.threads}</Name>
        <Count count={totals?.threads} label={texts.inbox.newThreads} />
      </Link>
      <Link
        to="/o/$organizationId/mentions"
        {...common}
        activeProps={{ "data-active": true, "aria-current": "page" }}
        data-unread={totals?.mentions ? true : undefined}
      >
        <AtSign size={16} aria-hidden />
        <Name>{texts.inbox.mentions}</Name>
        <Count count={totals?.mentions} label={texts.inbox.newMentions} />
      </Link>
    </nav>
  );
}

const Name = ({ children }: { children: ReactNode }) => <span className={classes.name}>{children}</span>;

function Count({ count, label }: { count: number | undefined; label: (count: number) => string }) {
  return count ? <CountBadge count={count} isStrong label={label(count)} /> : null;
}
