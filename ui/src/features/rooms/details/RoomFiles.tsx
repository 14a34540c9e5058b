import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { File, MessageSquareText } from "lucide-react";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";
import { InfiniteList } from "@/kit/layout/InfiniteList";
import { formatBytes } from "@/kit/text/units";
import { shortDate } from "@/kit/text/times";
import { ActorName } from "@/model/people/ActorName";
import { roomFilesKey } from "@/model/queryKeys";
import { details } from "@/texts/rooms";
import classes from "./RoomDetails.module.css";

type RoomFile = Schemas["RoomFile"];

interface Props {
  roomId: string;
  organizationId: string;
}

const PAGE_SIZE = 10;

/** The files of a room's messages and page, newest first. */
export function RoomFiles({ roomId, organizationId }: Props) {
  const files = useInfiniteQuery({
    queryKey: roomFilesKey(roomId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }: { pageParam: string | undefined }) => {
      const params = { path: { room_id: roomId }, query: { limit: PAGE_SIZE, cursor } };
      return unwrap(api.GET("/v2/rooms/{room_id}/attachments", { params }));
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  return (
    <section className={classes.part} aria-label={details.files}>
      <h3>{details.files}</h3>
      <InfiniteList of={files}>
        {(pages) => {
          const all = pages.flatMap((page) => page.attachments);
          return all.length > 0 ? (
            <ul className={classes.list}>
              {all.map((each) => (
                <FileRow key={each.attachment_id} file={each} organizationId={organizationId} />
              ))}
            </ul>
          ) : (
            <p className={classes.nothing}>{details.noFiles}</p>
          );
        }}
      </InfiniteList>
    </section>
  );
}

function FileRow({ file, organizationId }: { file: RoomFile; organizationId: string }) {
  const path = `/v2/attachments/${file.attachment_id}`;
  const isPicture = file.width !== null;
  const whereLabel = file.block_id ? details.showPage(file.name) : details.showMessage(file.name);
  return (
    <li className={classes.file}>
      <a className={classes.open} href={`${path}/content`} target="_blank" rel="noopener">
        <span className={classes.thumbnail}>
          {isPicture ? (
            <img src={`${path}/thumbnail`} alt="" loading="lazy" />
          ) : (
            <File size={20} aria-hidden />
          )}
        </span>
        <span className={classes.about}>
          <bdi>{file.name}</bdi>
          <span>
            <ActorName organizationId={organizationId} actorId={file.created_by} /> ·{" "}
            {shortDate(file.created_at)} · {formatBytes(file.size)}
          </span>
        </span>
      </a>
      <Link
        from="/o/$organizationId/rooms/$roomId"
        to="."
        search={placeOf(file)}
        className={classes.where}
        title={whereLabel}
        aria-label={whereLabel}
      >
        <MessageSquareText size={17} aria-hidden />
      </Link>
    </li>
  );
}

/** Return the place of a file in the room: in a message, a thread or the page. */
function placeOf(file: RoomFile) {
  if (file.message_id === null) return { view: "page" };
  const place = { view: "messages", message: file.message_id };
  return file.thread_root_id ? { ...place, thread: file.thread_root_id } : { ...place, panel: "details" };
}
