import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Check, ChevronDown } from "lucide-react";
import { isTouch } from "@/kit/touch";
import { useOwnOrganizations } from "@/model/people/queries";
import { texts } from "@/texts";
import classes from "./OrganizationMenu.module.css";

/** Show the current organization, and switch between organizations. */
export function OrganizationMenu({ organizationId }: { organizationId: string }) {
  const all = useOwnOrganizations();
  const navigate = useNavigate();
  const own = all.find((each) => each.organization_id === organizationId);
  if (all.length < 2) return <div className={classes.name}>{own?.name}</div>;
  return (
    <Menu position="bottom-start" width={240} withinPortal={isTouch()}>
      <Menu.Target>
        <button
          type="button"
          className={classes.name}
          aria-label={texts.organizations.change(own?.name ?? "")}
        >
          <span>{own?.name}</span>
          <ChevronDown size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {all.map((each) => (
          <Menu.Item
            key={each.organization_id}
            rightSection={each === own ? <Check size={15} aria-hidden /> : null}
            onClick={() =>
              void navigate({ to: "/o/$organizationId", params: { organizationId: each.organization_id } })
            }
          >
            {each.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
