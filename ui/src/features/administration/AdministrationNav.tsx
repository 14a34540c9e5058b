import { Link } from "@tanstack/react-router";
import { administration } from "@/texts/administration";
import classes from "./AdministrationNav.module.css";
import { PAGES } from "./pages";
import { hasRole, useOrganization } from "./useOrganization";

/** The navigation of the administration, with the pages that the reader can open. */
export function AdministrationNav() {
  const { organizationId, role } = useOrganization();
  return (
    <nav className={classes.nav} aria-label={administration.title}>
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
              {administration.pages[id].title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
