import { Button, Menu } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Outlet, useLocation, useNavigate, Link } from "@tanstack/react-router";
import { Settings, ChevronDown } from "lucide-react";
import { Suspense } from "react";
import { Loading } from "@/kit/layout/Loading";
import { MessagePage } from "@/kit/layout/MessagePage";
import { PageHeader } from "@/kit/layout/PageHeader";
import { administration } from "@/texts/administration";
import classes from "./AdministrationFrame.module.css";
import { PAGES } from "./pages";
import { hasRole, useOrganization } from "./useOrganization";

const labels = administration;

/** The frame of the administration: a list of its pages and one page. */
export function AdministrationFrame() {
  const { role, name } = useOrganization();
  const isWide = useMediaQuery("(min-width: 1000px)", true, { getInitialValueInEffect: false });
  if (!hasRole(role, "reader"))
    return <MessagePage title={labels.adminsOnly}>{labels.adminsOnlyHint}</MessagePage>;
  return (
    <main className={classes.frame}>
      <PageHeader
        icon={<Settings size={17} aria-hidden />}
        title={isWide ? labels.title : labels.short}
        description={name}
      >
        {!isWide && <AdministrationMenu />}
      </PageHeader>
      <div className={classes.body}>
        {isWide && <AdministrationNav />}
        <div className={classes.scroller}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </div>
      </div>
    </main>
  );
}

/** The navigation as a menu, for narrow windows. */
function AdministrationMenu() {
  const { organizationId, role } = useOrganization();
  const navigate = useNavigate();
  const path = useLocation({ select: (location) => location.pathname });
  const shown = PAGES.filter((each) => hasRole(role, each.needs));
  const addresses = shown.map((each) => each.to.replace("$organizationId", organizationId));
  const now = shown.findLast((_, index) => path.startsWith(addresses[index] ?? "-"));
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <Button
          className={classes.button}
          size="compact-sm"
          variant="default"
          rightSection={<ChevronDown size={15} aria-hidden />}
          aria-label={labels.menu(now ? labels.pages[now.id].title : "")}
        >
          {now ? labels.pages[now.id].title : labels.title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {shown.map(({ id, to, icon: Icon }) => (
          <Menu.Item
            key={id}
            leftSection={<Icon size={15} aria-hidden />}
            aria-current={id === now?.id ? "page" : undefined}
            fw={id === now?.id ? 600 : 400}
            onClick={() => void navigate({ to, params: { organizationId } })}
          >
            {labels.pages[id].title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The navigation of the administration, with the pages that the reader can open. */
function AdministrationNav() {
  const { organizationId, role } = useOrganization();
  return (
    <nav className={classes.nav} aria-label={labels.title}>
      <ul>
        {PAGES.filter((each) => hasRole(role, each.needs)).map(({ id, to, icon: Icon }) => (
          <li key={id}>
            <Link
              to={to}
              params={{ organizationId }}
              className={classes.link}
              activeProps={{ "data-active": true, "aria-current": "page" }}
              activeOptions={{ exact: id === "overview", includeSearch: false }}
            >
              <Icon size={16} aria-hidden />
              {labels.pages[id].title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
