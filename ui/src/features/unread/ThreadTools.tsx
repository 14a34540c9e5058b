import { Button, SegmentedControl } from "@mantine/core";
import { CheckCheck } from "lucide-react";
import { useChange } from "@/kit/data/useChange";
import { threadsKey, unreadKey } from "@/model/queryKeys";
import { useUnread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import classes from "./ThreadTools.module.css";
import { markAllThreadsRead } from "./markThreads";

interface Props {
  organizationId: string;
  isUnreadOnly: boolean;
  onUnreadOnly: (wanted: boolean) => void;
}

/** Shows all threads or the unread ones, and marks all as read. */
export function ThreadTools({ organizationId, isUnreadOnly, onUnreadOnly }: Props) {
  const { data: unread } = useUnread(organizationId);
  const markAll = useChange({
    change: () => markAllThreadsRead(organizationId),
    invalidates: [threadsKey(organizationId), unreadKey(organizationId)],
  });
  return (
    <div className={classes.tools}>
      <SegmentedControl
        size="xs"
        aria-label={texts.inbox.show}
        value={isUnreadOnly ? "unread" : "all"}
        onChange={(value) => onUnreadOnly(value === "unread")}
        data={[
          { value: "all", label: texts.inbox.all },
          { value: "unread", label: texts.inbox.unread },
        ]}
      />
      <Button
        size="xs"
        variant="default"
        leftSection={<CheckCheck size={16} aria-hidden />}
        disabled={!unread?.threads.length}
        loading={markAll.isPending}
        onClick={() => markAll.mutate()}
      >
        {texts.inbox.markAllRead}
      </Button>
    </div>
  );
}
