import { Alert, Button, Group, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { queryClient } from "@/api/queryClient";
import { messageOf, ApiError } from "@/api/errors";
import { asText, withText } from "@/model/blocks/content";
import { texts } from "@/texts";
import { blocksKey, changeBlock, type Block } from "./queries";

interface Props {
  block: Block;
  onDone: () => void;
}

/**
 * Edit a block. If someone else changed it in the meantime, show both versions and let the user choose, so that no
 * version is overwritten unseen or lost.
 */
export function BlockEditor({ block, onDone }: Props) {
  const [base, setBase] = useState(block);
  const [text, setText] = useState(() => asText(block.type, block.content));
  const [theirs, setTheirs] = useState<Block | null>(null);
  const [problem, setProblem] = useState("");
  const save = async (on: Block) => {
    setProblem("");
    try {
      await changeBlock(on, { content: withText(on.type, on.content, text) });
      await queryClient.invalidateQueries({ queryKey: blocksKey(block.room_id) });
      onDone();
    } catch (error) {
      const present = presentIn(error);
      setTheirs(present);
      if (!present) setProblem(messageOf(error));
    }
  };
  const takeTheirs = (present: Block) => {
    setBase(present);
    setText(asText(present.type, present.content));
    setTheirs(null);
  };
  const isLine = block.type === "heading" || block.type === "image" || block.type === "file";
  const shared = { "aria-label": texts.blocks.types[block.type], value: text, autoFocus: true };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "Escape") onDone();
    if (event.key === "Enter" && (isLine || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void save(base);
    }
  };
  return (
    <div onKeyDown={onKeyDown}>
      {isLine ? (
        <TextInput {...shared} onChange={(event) => setText(event.currentTarget.value)} />
      ) : (
        <Textarea
          {...shared}
          rows={Math.min(text.split("\n").length + 1, 16)}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {theirs && (
        <Alert color="yellow" mt="xs" role="alert" title={texts.blocks.conflict}>
          <pre style={{ whiteSpace: "pre-wrap", margin: "0 0 12px" }}>
            {asText(theirs.type, theirs.content)}
          </pre>
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => takeTheirs(theirs)}>
              {texts.blocks.takeTheirs}
            </Button>
            <Button size="compact-sm" onClick={() => void save(theirs)}>
              {texts.blocks.keepMine}
            </Button>
          </Group>
        </Alert>
      )}
      {problem && (
        <Alert color="red" mt="xs">
          {problem}
        </Alert>
      )}
      {!theirs && (
        <Group gap="xs" mt="xs">
          <Button size="compact-sm" onClick={() => void save(base)}>
            {texts.app.save}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onDone}>
            {texts.app.cancel}
          </Button>
        </Group>
      )}
    </div>
  );
}

/** The current block, from the error that reports a change. */
function presentIn(error: unknown): Block | null {
  if (!(error instanceof ApiError) || error.code !== "block_changed") return null;
  return (error.body as { block?: Block }).block ?? null;
}
