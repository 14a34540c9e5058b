import { Alert } from "@mantine/core";
import { useEffect, type ReactNode } from "react";
import classes from "@/kit/layout/PageHead.module.css";
import { setTitle } from "@/kit/layout/title";
import { administration } from "@/texts/administration";
import { needsOf, type Page } from "./pages";
import { hasRole, useOrganization, type Role } from "./useOrganization";

interface Props {
  /** The entry of the navigation that the page belongs to; its role is required. */
  page: Page;
  /** If not those of the entry. */
  title?: string;
  hint?: string;
  /** A link to the list that the page belongs to. */
  back?: ReactNode;
  /** Tools next to the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A page of the administration: title, tools and content. */
export function AdministrationPage({ page, back, action, children, ...texts }: Props) {
  const { title, hint } = { ...administration.pages[page], ...texts };
  const needs = needsOf(page);
  const { role } = useOrganization();
  useEffect(() => {
    setTitle(`${title} · ${administration.title}`);
  }, [title]);
  if (!hasRole(role, needs)) return <AccessDenied needs={needs} />;
  return (
    <div className={classes.page}>
      {back}
      <div className={classes.head}>
        <div className={classes.about} data-listed={!back || undefined}>
          <h2>{title}</h2>
          <p>{hint}</p>
        </div>
        {action && <div className={classes.action}>{action}</div>}
      </div>
      {children}
    </div>
  );
}

/** Shown to a person whose role is too low for the page. */
function AccessDenied({ needs }: { needs: Role }) {
  return (
    <Alert color="gray" m="lg" title={administration.adminsOnly}>
      {administration.needs(administration.roles[needs])}
    </Alert>
  );
}
