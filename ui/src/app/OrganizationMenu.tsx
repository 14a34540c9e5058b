import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { ButtonMenu } from "@/kit/overlay/ButtonMenu";
import { isTouch } from "@/kit/input/touch";
import { useOwnOrganizations } from "@/model/people/queries";

/** The menu that switches between organizations. */
export function OrganizationMenu({ organizationId }: { organizationId: string }) {
  const navigate = useNavigate();
  return (
    <ButtonMenu position="bottom-start" width={240} withinPortal={isTouch()}>
      {useOwnOrganizations().map((each) => (
        <Menu.Item
          key={each.organization_id}
          rightSection={each.organization_id === organizationId ? <Check size={15} aria-hidden /> : null}
          onClick={() =>
            void navigate({ to: "/o/$organizationId", params: { organizationId: each.organization_id } })
          }
        >
          {each.name}
        </Menu.Item>
      ))}
    </ButtonMenu>
  );
}
