import { ActionIcon } from "@mantine/core";
import { Menu as MenuIcon } from "lucide-react";
import { createContext, use, type ReactNode } from "react";
import { texts } from "@/texts";
import classes from "./PageHeader.module.css";

/** Opens the menu of rooms where the window is too narrow to show it all the time; null where it is shown. */
export const MenuContext = createContext<(() => void) | null>(null);

interface Props {
  icon?: ReactNode;
  title: ReactNode;
  description?: string;
  children?: ReactNode;
}

/** The line at the top of each page: what it is, and what can be done with it as a whole. */
export function PageHeader({ icon, title, description, children }: Props) {
  const openMenu = use(MenuContext);
  return (
    <header className={classes.header}>
      {openMenu && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={openMenu}
          aria-label={texts.app.openMenu}
        >
          <MenuIcon size={20} />
        </ActionIcon>
      )}
      <h1 className={classes.title}>
        {icon}
        <span className={classes.name}>{title}</span>
      </h1>
      {description && <p className={classes.description}>{description}</p>}
      <div className={classes.tools}>{children}</div>
    </header>
  );
}
