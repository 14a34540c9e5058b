import { Button } from "@mantine/core";
import { FileText } from "lucide-react";
import { texts } from "@/texts";
import classes from "./Composer.module.css";
import { MAX_CHARACTERS } from "./tooLong";

interface Props {
  excess: number;
  onAttach: () => void;
}

/** Says by how much a message is too long, and offers to attach the text as a file. */
export function TooLongNotice({ excess, onAttach }: Props) {
  return (
    <div role="alert" className={classes.tooLong}>
      <span>{texts.composer.tooLong(excess, MAX_CHARACTERS)}</span>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<FileText size={15} aria-hidden />}
        onClick={onAttach}
      >
        {texts.composer.attachText}
      </Button>
    </div>
  );
}
