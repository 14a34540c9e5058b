import { Link } from "@tanstack/react-router";
import { Building2 } from "lucide-react";
import { texts } from "@/texts";
import classes from "./AdministrationLink.module.css";
import { hasRole, useOrganization } from "./useOrganization";

/** The sidebar's link to the administration, for people who can view it. */
export function AdministrationLink({ onChosen }: { onChosen: () => void }) {
  const { organizationId, role } = useOrganization();
  if (!hasRole(role, "reader")) return null;
  return (
    <Link
      to="/o/$organizationId/administration"
      params={{ organizationId }}
      className={classes.link}
      activeProps={{ "data-active": true }}
      onClick={onChosen}
    >
      <Building2 size={16} aria-hidden />
      {texts.app.administration}
    </Link>
  );
}
