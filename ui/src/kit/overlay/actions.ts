import type { LucideIcon } from "lucide-react";

/** Something that can be done, as a button of a toolbar or a line of a sheet. */
export interface Action {
  name: string;
  label: string;
  icon: LucideIcon;
  isDangerous?: boolean;
  act: () => void;
}
