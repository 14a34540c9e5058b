import { Link } from "@tanstack/react-router";
import { Settings } from "lucide-react";
import side from "@/kit/layout/SideLink.module.css";
import { texts } from "@/texts";
import classes from "./AdministrationLink.module.css";
import { hasRole, useOrganization } from "./useOrganization";

/** The sidebar's link to the administration, for people who can view it. */
export function AdministrationLink({ onChosen }: { onChosen: () => void }) {
  const { organizationId, role } = useOrganization();
  if (!hasRole(role, "reader")) return null;
  return (
    <div className={classes.place}>
      <Link
        to="/o/$organizationId/administration"
        params={{ organizationId }}
        className={side.link}
        activeProps={{ "data-active": true }}
        onClick={onChosen}
      >
        <Settings size={16} aria-hidden />
        {texts.app.administration}
      </Link>
    </div>
  );
}
