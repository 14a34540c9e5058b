import { MessageSquare } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLongPress } from "@/kit/input/longPress";
import { formatRelative, fullTime } from "@/kit/text/times";
import { isTouch } from "@/kit/input/touch";
import { RoomContext, useRoomContext } from "@/model/messages/roomContext";
import type { Message } from "@/model/messages/history";
import { ActorButton } from "@/model/people/ActorButton";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import { useUnreadThread } from "@/model/unread/useUnread";
import { texts } from "@/texts";
import { AddReaction } from "../emoji/AddReaction";
import { ReactionBar } from "../emoji/ReactionBar";
import { MessageActions, type ActionsHandle } from "../row/MessageActions";
import { MessageBody } from "../row/MessageBody";
import { NewReplies } from "../thread/NewReplies";
import classes from "./PostsView.module.css";
import { PostComments } from "./PostComments";

interface Props {
  post: Message;
  isMarked: boolean;
}

export function PostCard({ post, isMarked }: Props) {
  const context = useRoomContext();
  const { room, editingId } = context;
  const [isOpen, setOpen] = useState(isMarked);
  const unread = useUnreadThread(room.organization_id, room.room_id, post.message_id);
  const place = useRef<HTMLDivElement>(null);
  const write = () => {
    flushSync(() => setOpen(true));
    place.current?.querySelector<HTMLElement>("[data-comment] textarea")?.focus();
  };
  const toggle = () => {
    if (isOpen) setOpen(false);
    else if (isTouch() && post.reply_count > 0)
      setOpen(true); // the keyboard would cover the comments
    else write();
  };
  const inside = { ...context, openThread: write };
  const isEdited = editingId === post.message_id;
  const actions = useRef<ActionsHandle>(null);
  const longPress = useLongPress(() => actions.current?.open());
  return (
    <RoomContext value={inside}>
      <div className={classes.gap} ref={place}>
        <article className={classes.card} tabIndex={0} data-marked={isMarked || undefined} {...longPress}>
          <header className={classes.head}>
            <ActorButton organizationId={room.organization_id} actorId={post.user_id} isRepeated>
              <ActorAvatar organizationId={room.organization_id} actorId={post.user_id} size={40} />
            </ActorButton>
            <div>
              <b>
                <ActorButton
                  organizationId={room.organization_id}
                  actorId={post.user_id}
                  className={classes.author}
                  isAuthor
                >
                  <ActorName organizationId={room.organization_id} actorId={post.user_id} />
                </ActorButton>
              </b>
              <time dateTime={post.sent_at} title={fullTime(post.sent_at)}>
                {formatRelative(post.sent_at, new Date())}
              </time>
            </div>
          </header>
          <MessageBody message={post} isEdited={isEdited} />
          <ReactionBar message={post} />
          <footer className={classes.footer}>
            {context.canWrite && post.status === "SENT" && <AddReaction message={post} />}
            <button type="button" className={classes.openComments} aria-expanded={isOpen} onClick={toggle}>
              <MessageSquare size={15} aria-hidden />
              {texts.messages.comments(post.reply_count)}
              {unread && <NewReplies unread={unread} />}
            </button>
          </footer>
          {post.status === "SENT" && !isEdited && <MessageActions ref={actions} message={post} />}
        </article>
        {isOpen && <PostComments post={post} />}
      </div>
    </RoomContext>
  );
}
