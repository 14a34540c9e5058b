import { Text } from "@mantine/core";
import { texts } from "@/texts";
import { useChange } from "../data/useChange";
import { FormDialog } from "./FormDialog";

interface Props {
  title: string;
  /** "Delete" unless given. */
  action?: string;
  /** "Cancel" unless given. */
  cancel?: string;
  isDangerous?: boolean;
  /** The consequence. */
  children: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation before something is deleted or taken away, or another change that cannot be undone. */
export function ConfirmDialog(props: Props) {
  const { action = texts.app.delete, isDangerous = true, children, onConfirm, onClose, ...rest } = props;
  const act = useChange({ change: onConfirm, done: onClose, handlesErrors: true });
  return (
    <FormDialog
      {...rest}
      action={action}
      isDangerous={isDangerous}
      focusesAction
      change={act}
      onSubmit={act.mutate}
      onClose={onClose}
    >
      <Text>{children}</Text>
    </FormDialog>
  );
}
