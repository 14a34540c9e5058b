import { formatRelative, fullTime } from "@/kit/text/times";
import type { Block } from "@/model/blocks/page";
import { useRoomContext } from "@/model/messages/roomContext";
import { ActorName } from "@/model/people/ActorName";
import { blocks as texts } from "@/texts/blocks";

/** Who last changed a page, and when. */
export function LastChange({ page, className }: { page: Block[]; className: string | undefined }) {
  const { room } = useRoomContext();
  const [first, ...others] = page;
  if (!first) return null;
  const last = others.reduce((one, other) => (other.updated_at > one.updated_at ? other : one), first);
  return (
    <p className={className}>
      {texts.edited}
      {last.updated_by && (
        <>
          {" "}
          {texts.by} <ActorName organizationId={room.organization_id} actorId={last.updated_by} />
        </>
      )}
      {" · "}
      <time dateTime={last.updated_at} title={fullTime(last.updated_at)}>
        {formatRelative(last.updated_at, new Date())}
      </time>
    </p>
  );
}
