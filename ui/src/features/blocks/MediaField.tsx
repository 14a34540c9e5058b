import { Button, FileButton, TextInput } from "@mantine/core";
import { Upload } from "lucide-react";
import { fileOf, textOf, type BlockType, type Content } from "@/model/blocks/content";
import { blocks as texts } from "@/texts/blocks";
import classes from "./Fields.module.css";

interface Props {
  type: BlockType;
  content: Content;
  onChange: (content: Content) => void;
  onFile: (file: File) => void;
  onDone: () => void;
  autoFocus: boolean;
}

/** What an image or a file shows: a file to upload or a link, and the words that go with it. */
export function MediaField({ type, content, onChange, onFile, onDone, autoFocus }: Props) {
  const isUpload = fileOf(content) !== null;
  const field = (name: string, label: string, hasFocus: boolean, placeholder = "") => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={textOf(content, name)}
      autoFocus={autoFocus && hasFocus}
      onChange={(event) => onChange({ ...content, [name]: event.currentTarget.value })}
    />
  );
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== "Enter" || (event.target as Element).tagName !== "INPUT") return;
    event.preventDefault();
    onDone();
  };
  return (
    <div className={classes.media} onKeyDown={onKeyDown}>
      {!isUpload && (
        <>
          <FileButton
            accept={type === "image" ? "image/*" : undefined}
            onChange={(file) => file && onFile(file)}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<Upload size={15} aria-hidden />}>
                {texts.choose}
              </Button>
            )}
          </FileButton>
          {field("url", texts.url, true, texts.urlPlaceholder)}
        </>
      )}
      {type === "image" && field("caption", texts.caption, isUpload)}
      {type === "image" && field("alt", texts.alt, false)}
      {type === "file" && field("name", texts.fileName, isUpload)}
    </div>
  );
}
