import { ActionIcon } from "@mantine/core";
import { Menu as MenuIcon, Search } from "lucide-react";
import { createContext, use, type ReactNode } from "react";
import { texts } from "@/texts";
import classes from "./PageHeader.module.css";

interface SidebarMenu {
  /** Opens the sidebar. */
  open: () => void;
  /** What is unread in it: nothing, something, or the number of messages that are meant for the reader. */
  unread: boolean | number;
}

/** The sidebar of a narrow window; null in a wide one, which always shows it. */
export const MenuContext = createContext<SidebarMenu | null>(null);

/** Opens search in a narrow window; null in a wide one, which has a field for it at the top. */
export const SearchContext = createContext<(() => void) | null>(null);

interface Props {
  icon?: ReactNode;
  title?: ReactNode;
  /** At the end of the line, such as a menu. */
  menu?: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
}

/** The header of a page: its title and tools. In a narrow window, the tools are a line of their own. */
export function PageHeader({ icon, title, menu, description, children }: Props) {
  const openSearch = use(SearchContext);
  return (
    <header className={classes.header}>
      <OpenSidebar />
      <div className={classes.names}>
        {title && (
          <h1 className={classes.title}>
            {icon}
            <span className={classes.name}>{title}</span>
          </h1>
        )}
        {description && <div className={classes.description}>{description}</div>}
      </div>
      {children && <div className={classes.tools}>{children}</div>}
      {openSearch && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          onClick={openSearch}
          aria-label={texts.app.search}
        >
          <Search size={19} />
        </ActionIcon>
      )}
      {menu}
    </header>
  );
}

/** The button of a narrow window that opens the sidebar, with a mark for what is unread there. */
function OpenSidebar() {
  const menu = use(MenuContext);
  if (!menu) return null;
  const { open, unread } = menu;
  const count = typeof unread === "number" ? (unread > 9 ? "9+" : `${unread}`) : undefined;
  const label = unread ? texts.app.openMenuUnread : texts.app.openMenu;
  return (
    <ActionIcon
      className={classes.menu}
      data-counted={count && true}
      variant="subtle"
      color="gray"
      size={36}
      onClick={open}
      aria-label={count ? texts.app.openMenuCount(count) : label}
    >
      <MenuIcon size={20} />
      {unread !== false && (
        <span className={classes.unread} data-direct={count && true}>
          {count}
        </span>
      )}
    </ActionIcon>
  );
}
