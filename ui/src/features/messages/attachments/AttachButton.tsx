import { ActionIcon } from "@mantine/core";
import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { texts } from "@/texts";

/** A button to choose files. */
export function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        title={texts.attachments.attach}
        aria-label={texts.attachments.attach}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={16} />
      </ActionIcon>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = ""; // lets the same file be chosen again
        }}
      />
    </>
  );
}
