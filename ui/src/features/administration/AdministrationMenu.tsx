import { Button, Menu } from "@mantine/core";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { administration } from "@/texts/administration";
import classes from "./AdministrationMenu.module.css";
import { PAGES } from "./pages";
import { hasRole, useOrganization } from "./useOrganization";

const labels = administration;

/** The navigation as a menu, for narrow windows. */
export function AdministrationMenu() {
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
