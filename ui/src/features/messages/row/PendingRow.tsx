import { Paperclip } from "lucide-react";
import { Markdown } from "@/model/markdown/Markdown";
import { discard, sendAgain, type Pending } from "@/model/messages/outbox";
import { useRoomContext } from "@/model/messages/roomContext";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import row from "./MessageRow.module.css";

/** A message that is being sent, or could not be sent. */
export function PendingRow({ pending }: { pending: Pending }) {
  const { room, personId } = useRoomContext();
  return (
    <div className={row.message} data-pending>
      <div className={row.side}>
        <ActorAvatar organizationId={room.organization_id} actorId={personId} />
      </div>
      <div className={row.main}>
        <div className={row.head}>
          <span className={row.author}>
            <ActorName organizationId={room.organization_id} actorId={personId} />
          </span>
          {!pending.failed && <span className={row.time}>{texts.composer.sending}</span>}
        </div>
        <div className={row.text}>
          {pending.text && <Markdown text={pending.text} organizationId={room.organization_id} />}
          {pending.attachments.map((each) => (
            <p key={each.attachment_id} className={row.file}>
              <Paperclip size={14} aria-hidden /> <bdi>{each.name}</bdi>
            </p>
          ))}
        </div>
        {pending.failed && (
          <p className={row.failed} role="alert">
            {texts.composer.failed(pending.failed)}
            <button type="button" onClick={() => sendAgain(pending)}>
              {texts.app.tryAgain}
            </button>
            <button type="button" onClick={() => discard(pending)}>
              {texts.composer.discard}
            </button>
          </p>
        )}
      </div>
    </div>
  );
}
