import { Button, type ButtonProps } from "@mantine/core";
import { ChevronDown } from "lucide-react";
import type { ComponentPropsWithRef } from "react";
import classes from "./AddFilter.module.css";

type Props = ButtonProps & Omit<ComponentPropsWithRef<"button">, keyof ButtonProps>;

/** A button that opens the choices of a filter. */
export function AddButton(button: Props) {
  return (
    <Button
      className={classes.button}
      variant="default"
      size="xs"
      radius="xl"
      rightSection={<ChevronDown size={14} aria-hidden />}
      {...button}
    />
  );
}
