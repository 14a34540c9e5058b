import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./Shell.module.css";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The sidebar as a drawer, for narrow windows. */
export function NarrowMenu({ isOpen, onClose, children }: Props) {
  return (
    <Drawer opened={isOpen} onClose={onClose} size={300} title="Atrium" classNames={{ body: classes.drawer }}>
      {children}
    </Drawer>
  );
}
