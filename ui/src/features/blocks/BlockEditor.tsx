import { Alert, Button, Group, TextInput } from "@mantine/core";
import shapes from "@/model/blocks/BlockContent.module.css";
import { levelOf, textOf } from "@/model/blocks/content";
import { useRoomContext } from "@/model/messages/roomContext";
import { blocks as texts } from "@/texts/blocks";
import { ConflictNotice } from "./ConflictNotice";
import classes from "./Fields.module.css";
import { ItemsField } from "./ItemsField";
import { MediaField } from "./MediaField";
import type { PageActions } from "./pageActions";
import type { Focus } from "./pageEditor";
import { cancelUpload, uploadAgain, uploadInto } from "./pageFiles";
import type { Draft } from "./rows";
import { TableField } from "./TableField";
import { tableIn, tableText } from "./table";
import { TextField } from "./TextField";

interface Props {
  draft: Draft;
  focus: Focus | null;
  actions: PageActions;
}

/** A block that is being written. It looks like the block for reading, and saves itself. */
export function BlockEditor({ draft, focus, actions }: Props) {
  const { room } = useRoomContext();
  const { editor } = actions;
  const { key, problem } = draft;
  return (
    <>
      {draft.upload ? (
        <UploadProgress draft={draft} roomId={room.room_id} actions={actions} />
      ) : (
        <Field draft={draft} focus={focus} actions={actions} roomId={room.room_id} />
      )}
      <ConflictNotice
        draft={draft}
        organizationId={room.organization_id}
        onKeep={(keep) => {
          editor.resolve(key, keep);
          editor.focus(key, "end");
        }}
      />
      {problem && (
        <Alert color="red" mt="xs" role="alert">
          {texts.unsaved(problem)}
          <Group gap="xs" mt="xs">
            <Button size="compact-md" onClick={() => void editor.settle(key)}>
              {texts.retry}
            </Button>
            <Button size="compact-md" variant="default" onClick={() => editor.drop(key)}>
              {texts.discard}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}

function Field({ draft, focus, actions, roomId }: Props & { roomId: string }) {
  const { editor } = actions;
  const { key, type, content } = draft;
  const leave = {
    onBackspace: () => actions.joinAbove(draft),
    onStep: (by: 1 | -1) => void editor.step(key, by, by === 1 ? "start" : "end"),
  };
  const table = type === "paragraph" ? tableIn(textOf(content)) : null;
  if (table)
    return (
      <TableField
        table={table}
        focus={focus}
        onChange={(next) => editor.write(key, { content: { text: tableText(next) } })}
        {...leave}
      />
    );
  if (type === "list" || type === "todo")
    return (
      <ItemsField
        type={type}
        content={content}
        focus={focus}
        onChange={(next) => editor.write(key, { content: next })}
        onEnd={(next) => actions.endList(draft, next)}
        {...leave}
      />
    );
  if (type === "image" || type === "file")
    return (
      <MediaField
        type={type}
        content={content}
        autoFocus={focus !== null && focus.caret !== "row"}
        onChange={(next) => editor.write(key, { content: next })}
        onFile={(file) => void uploadInto(editor, roomId, key, file)}
        onDone={() => editor.focus(key, "row")}
      />
    );
  const text = (
    <TextField
      type={type}
      value={textOf(content)}
      placeholder={type === "paragraph" ? texts.placeholder : texts.types[type]}
      className={type === "code" ? classes.code : undefined}
      focus={focus}
      onChange={(value) =>
        actions.editor.write(key, { content: { ...content, text: lineOrText(type, value) } })
      }
      onKind={(name, rest) => actions.choose(draft, name, rest)}
      onEnter={(before, after) => actions.split(draft, before, after)}
      {...leave}
    />
  );
  if (type === "code")
    return (
      <Labelled draft={draft} name="language" label={texts.language} actions={actions}>
        {text}
      </Labelled>
    );
  if (type === "callout")
    return (
      <Labelled draft={draft} name="emoji" label={texts.emoji} actions={actions}>
        {text}
      </Labelled>
    );
  return (
    <div className={`${classes.text} ${shapes[type] ?? ""}`} data-level={levelOf(type, content)}>
      {text}
    </div>
  );
}

interface LabelledProps {
  draft: Draft;
  name: "language" | "emoji";
  label: string;
  actions: PageActions;
  children: React.ReactNode;
}

/** The field of a block that has a short text besides: the language of code, the emoji of a callout. */
function Labelled({ draft, name, label, actions, children }: LabelledProps) {
  const value = textOf(draft.content, name);
  return (
    <div className={draft.type === "callout" ? shapes.callout : classes.code}>
      <TextInput
        className={classes[name]}
        size="xs"
        variant="unstyled"
        aria-label={label}
        placeholder={name === "emoji" ? "💡" : label}
        value={value}
        maxLength={name === "emoji" ? 16 : 60}
        onChange={(event) =>
          actions.editor.write(draft.key, {
            content: { ...draft.content, [name]: event.currentTarget.value },
          })
        }
      />
      <div className={classes.text}>{children}</div>
    </div>
  );
}

function UploadProgress({ draft, roomId, actions }: { draft: Draft; roomId: string; actions: PageActions }) {
  const { key, upload } = draft;
  if (!upload) return null;
  const percent = Math.floor((100 * upload.sent) / Math.max(upload.size, 1));
  return (
    <div className={classes.upload} role={upload.problem ? "alert" : undefined}>
      {upload.problem ? (
        <span>{texts.uploadFailed(upload.name, upload.problem)}</span>
      ) : (
        <>
          <span>{texts.uploading(upload.name, percent)}</span>
          <progress max={100} value={percent} aria-label={texts.uploading(upload.name, percent)} />
        </>
      )}
      <Group gap="xs">
        {upload.problem && (
          <Button size="compact-md" onClick={() => uploadAgain(actions.editor, roomId, key)}>
            {texts.retry}
          </Button>
        )}
        <Button size="compact-md" variant="default" onClick={() => cancelUpload(actions.editor, key)}>
          {texts.cancel}
        </Button>
      </Group>
    </div>
  );
}

const lineOrText = (type: Draft["type"], value: string): string =>
  type === "heading" ? value.replaceAll("\n", " ") : value;
