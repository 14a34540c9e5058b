import { ActionIcon, type ActionIconProps } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";

import classes from "./ComposerTools.module.css";

interface Props extends ActionIconProps, Omit<ComponentProps<"button">, keyof ActionIconProps> {
  label: string;
  children: ReactNode;
}

/** A button of the composer's toolbar. */
export function ToolButton({ label, ...button }: Props) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      title={label}
      aria-label={label}
      {...button}
      className={[classes.tool, button.className].join(" ")}
    />
  );
}
