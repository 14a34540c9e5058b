import { Menu, type MenuProps } from "@mantine/core";
import { Anchor, useOpenerState } from "./Anchor";

/** The menu of a button (kit/overlay/Opener). */
export function ButtonMenu({ children, ...menu }: MenuProps) {
  return (
    <Menu {...menu} {...useOpenerState()}>
      <Menu.Target>
        <Anchor />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
