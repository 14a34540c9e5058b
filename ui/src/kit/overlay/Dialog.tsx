import { Modal, type ModalProps, type ModalRootProps } from "@mantine/core";
import { useFocusReturn } from "./focusReturn";

/**
 * A dialog, open while it is mounted. Mantine's own gives the focus back only when `opened` changes, so this one does it
 * (kit/overlay/focusReturn).
 */
export function Dialog(props: Omit<ModalProps, "opened">) {
  const { ref } = useFocusReturn();
  return <Modal opened returnFocus={false} ref={ref} {...props} />;
}

/** A dialog without a title bar. */
export function BareDialog({
  label,
  children,
  ...props
}: Omit<ModalRootProps, "opened"> & { label: string }) {
  const { ref } = useFocusReturn();
  return (
    <Modal.Root opened returnFocus={false} ref={ref} {...props}>
      <Modal.Overlay />
      <Modal.Content aria-label={label}>{children}</Modal.Content>
    </Modal.Root>
  );
}
