import { Link } from "@tanstack/react-router";
import { managedKeys as labels } from "@/texts/managedKeys";
import { useOrganization } from "../useOrganization";
import classes from "./KeyListing.module.css";

const TABS = [
  { id: "integrations", to: "/o/$organizationId/administration/integrations" },
  { id: "personal", to: "/o/$organizationId/administration/integrations/personal" },
  { id: "policy", to: "/o/$organizationId/administration/integrations/policy" },
] as const;

/** The links between the pages of keys. */
export function KeyTabs() {
  const { organizationId } = useOrganization();
  return (
    <nav className={classes.tabs} aria-label={labels.pages}>
      {TABS.map(({ id, to }) => (
        <Link
          key={id}
          to={to}
          params={{ organizationId }}
          activeProps={{ "data-active": true, "aria-current": "page" }}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {labels.tabs[id]}
        </Link>
      ))}
    </nav>
  );
}
