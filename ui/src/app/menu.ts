import { createContext, use } from "react";

/** Opens the menu of rooms where the window is too narrow to show it all the time; null where it is shown. */
export const MenuContext = createContext<(() => void) | null>(null);

export const useMenu = (): (() => void) | null => use(MenuContext);
