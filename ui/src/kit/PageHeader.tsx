import { ActionIcon } from "@mantine/core";
import { Menu as MenuIcon, Search } from "lucide-react";
import { createContext, use, type ReactNode } from "react";
import { texts } from "@/texts";
import classes from "./PageHeader.module.css";

/** Opens the sidebar in a narrow window; null in a wide one, which always shows it. */
export const MenuContext = createContext<(() => void) | null>(null);

/** Opens search in a narrow window; null in a wide one, which has a field for it at the top. */
export const SearchContext = createContext<(() => void) | null>(null);

interface Props {
  icon?: ReactNode;
  title: ReactNode;
  /** Next to the title, such as a menu. */
  menu?: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
}

/** The header of a page: its title and tools. */
export function PageHeader({ icon, title, menu, description, children }: Props) {
  const openMenu = use(MenuContext);
  const openSearch = use(SearchContext);
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
      {menu}
      {description && <div className={classes.description}>{description}</div>}
      {openSearch && (
        <ActionIcon
          className={classes.search}
          variant="subtle"
          color="gray"
          size="lg"
          onClick={openSearch}
          aria-label={texts.app.search}
        >
          <Search size={19} />
        </ActionIcon>
      )}
      <div className={classes.tools}>{children}</div>
    </header>
  );
}
