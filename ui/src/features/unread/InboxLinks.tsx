import { Link } from "@tanstack/react-router";
import { AtSign, MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { CountBadge } from "@/kit/layout/CountBadge";
import { MentionBadge } from "@/model/unread/MentionBadge";
import side from "@/kit/layout/SideLink.module.css";
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
  const common = { params: { organizationId }, className: side.link, onClick: onChosen };
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
        <MentionBadge count={totals?.inThreads ?? 0} />
        <Count
          count={totals?.threads}
          isStrong
          label={(threads) => texts.inbox.newThreads(threads, totals?.inThreads ?? 0)}
        />
      </Link>
      <Link
        to="/o/$organizationId/mentions"
        {...common}
        activeProps={{ "data-active": true, "aria-current": "page" }}
        data-unread={totals?.mentions ? true : undefined}
      >
        <AtSign size={16} aria-hidden />
        <Name>{texts.inbox.mentions}</Name>
        <Count count={totals?.mentions} isStrong label={texts.inbox.newMentions} />
      </Link>
    </nav>
  );
}

const Name = ({ children }: { children: ReactNode }) => <span className={side.name}>{children}</span>;

interface CountProps {
  count: number | undefined;
  isStrong?: boolean;
  label: (count: number) => string;
}

function Count({ count, isStrong, label }: CountProps) {
  return count ? <CountBadge count={count} isStrong={isStrong} label={label(count)} /> : null;
}
