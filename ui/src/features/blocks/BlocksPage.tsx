import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { messageOf } from "@/api/errors";
import { useStore } from "@/kit/data/store";
import { DropZone } from "@/kit/input/DropZone";
import { Loading } from "@/kit/layout/Loading";
import { formatRelative, fullTime } from "@/kit/text/times";
import { levelOf } from "@/model/blocks/content";
import { blocksOf, type Block } from "@/model/blocks/page";
import { depthsOf } from "@/model/blocks/tree";
import { useRoomContext } from "@/model/messages/roomContext";
import { ActorName } from "@/model/people/ActorName";
import { blocks as texts } from "@/texts/blocks";
import { BlockRow, indent, Reading } from "./BlockRow";
import rowClasses from "./BlockRow.module.css";
import classes from "./BlocksPage.module.css";
import { dropTargetAt, useDragging } from "./dragging";
import { pageOf, type PageActions } from "./pageActions";
import { addFiles } from "./pageFiles";
import { placeBefore, rowsOf } from "./rows";

/** The page of a room, made of blocks. */
export function BlocksPage() {
  const { room, canWrite } = useRoomContext();
  const { data: page, error } = useQuery(blocksOf(room.room_id));
  if (error && !page)
    return (
      <p role="alert" className={classes.nothing}>
        {messageOf(error)}
      </p>
    );
  if (!page) return <Loading />;
  return canWrite ? <EditablePage page={page} /> : <ReadPage page={page} />;
}

function ReadPage({ page }: { page: Block[] }) {
  const depths = depthsOf(page);
  return (
    <div className={classes.scroller} tabIndex={0} role="region" aria-label={texts.page}>
      <div className={classes.page}>
        {page.length === 0 && <p className={classes.nothing}>{texts.empty}</p>}
        <LastChange page={page} className={classes.changed} />
        <div>
          {page.map((block) => (
            <div
              key={block.block_id}
              className={rowClasses.row}
              style={indent(depths.get(block.block_id) ?? 0)}
              data-type={block.type}
              data-level={levelOf(block.type, block.content)}
            >
              <div className={rowClasses.content}>
                <Reading block={block} actions={null} />
              </div>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function EditablePage({ page }: { page: Block[] }) {
  const { room } = useRoomContext();
  const actions = pageOf(room.room_id);
  const { editor } = actions;
  const { drafts, focus } = useStore(editor.state);
  const [last, setLast] = useState<string | null>(null);
  if (focus && focus.key !== last) setLast(focus.key);
  const rows = rowsOf(page, drafts, editor.keyOf);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const dragging = useDragging({
    scroller,
    page: list,
    onDrop: (key, index) => {
      const now = editor.rows();
      const block = now.find((each) => each.key === key)?.block;
      const place = block && placeBefore(now, index, block);
      if (place) void actions.move(block, place);
    },
  });
  useEffect(() => editor.follow(), [editor, page]);
  useEffect(() => keepUnsaved(actions), [actions]);
  const [start] = useState(() => dragging.start); // the same function, so that rows need not render again
  const tab = rows.some((each) => each.key === last) ? last : rows[0]?.key;
  const keyAbove = (y: number) =>
    rows[(list.current ? dropTargetAt(list.current, y).index : rows.length) - 1]?.key ?? null;
  const onPaste = (event: React.ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    addFiles(editor, room.room_id, focus?.key ?? rows.at(-1)?.key ?? null, files);
  };
  return (
    <DropZone
      enabled
      label={texts.drop}
      onFiles={(files, y) => addFiles(editor, room.room_id, keyAbove(y), files)}
    >
      <div ref={scroller} className={classes.scroller} onPaste={onPaste}>
        <div ref={list} className={classes.page}>
          <span id="blocks-hint" hidden>
            {texts.hint}
          </span>
          <LastChange page={page} className={classes.changed} />
          <div>
            {rows.map(({ key, block, draft, depth }) => (
              <BlockRow
                key={key}
                rowKey={key}
                block={block}
                draft={draft}
                depth={depth}
                focus={focus?.key === key ? focus : null}
                hasTab={tab === key}
                isMoving={dragging.moving === key}
                actions={actions}
                onDrag={start}
              />
            ))}
          </div>
          {dragging.landing && <div className={classes.landing} style={{ top: dragging.landing.top }} />}
          <button
            type="button"
            className={classes.end}
            onClick={() => actions.addText(rows.at(-1)?.key ?? null)}
          >
            {texts.start}
          </button>
        </div>
      </div>
    </DropZone>
  );
}

/** Save when the page is left, and ask before the browser tab is closed with something unsaved. */
function keepUnsaved({ editor }: PageActions): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (editor.hasUnsaved) event.preventDefault();
    editor.saveAll();
  };
  addEventListener("beforeunload", ask);
  return () => {
    removeEventListener("beforeunload", ask);
    editor.close();
  };
}

/** Who last changed a page, and when. */
function LastChange({ page, className }: { page: Block[]; className: string | undefined }) {
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
