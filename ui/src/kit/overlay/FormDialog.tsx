import { Button, Group, Stack, Text, type ModalProps } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorAlert } from "../layout/ErrorAlert";
import { texts } from "@/texts";
import { Dialog } from "./Dialog";

export interface FormDialogProps extends Pick<ModalProps, "title" | "size" | "fullScreen"> {
  /** What the form does, above the fields. */
  hint?: string;
  /** The text of the button that submits the form. */
  action: string;
  /** Its text while the change is under way, instead of a loader. */
  progress?: string;
  /** "Cancel" unless given. */
  cancel?: string;
  isDangerous?: boolean;
  /** Whether the form cannot be submitted yet. */
  isIncomplete?: boolean;
  /** Whether the button has the focus at first, for a question without fields. */
  focusesAction?: boolean;
  /** The change that submitting starts. */
  change?: { isPending: boolean; error: Error | null };
  onSubmit: () => void;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with a form. It says why the change failed, and stays open until the caller closes it. */
export function FormDialog(props: FormDialogProps) {
  const { title, size, fullScreen, hint, children, change, onSubmit, onClose } = props;
  const { action, progress, cancel = texts.app.cancel, isDangerous, isIncomplete, focusesAction } = props;
  return (
    <Dialog title={title} size={size} fullScreen={fullScreen} onClose={onClose} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>
          <ErrorAlert error={change?.error} />
          {hint && <Text size="sm">{hint}</Text>}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {cancel}
            </Button>
            <Button
              type="submit"
              color={isDangerous ? "red.8" : undefined}
              loading={change?.isPending && !progress}
              disabled={isIncomplete || change?.isPending}
              data-autofocus={focusesAction}
            >
              {progress ?? action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
