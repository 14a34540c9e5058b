import { Markdown } from "@/model/markdown/Markdown";
import classes from "./ComposerField.module.css";

interface Props {
  text: string;
  organizationId: string;
  label: string;
}

/** The message as it will look. */
export function ComposerPreview({ text, organizationId, label }: Props) {
  return (
    <section className={classes.preview} aria-label={label} tabIndex={0}>
      <Markdown text={text} organizationId={organizationId} />
    </section>
  );
}
