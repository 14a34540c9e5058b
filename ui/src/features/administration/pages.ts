import {
  Blocks,
  BookUser,
  ChartNoAxesColumn,
  Import,
  Layers,
  Mail,
  ScrollText,
  Settings2,
  Users,
  Webhook,
  type LucideIcon,
} from "lucide-react";
import type { administration } from "@/texts/administration";
import type { Role } from "./useOrganization";

/** The name of a page of the navigation. */
export type Page = keyof typeof administration.pages;

/** A page of the administration: its path, and the role that it needs. */
interface Entry<Id extends Page> {
  id: Id;
  to: Id extends "overview" ? "/o/$organizationId/administration" : `/o/$organizationId/administration/${Id}`;
  icon: LucideIcon;
  needs: Role;
}

/** The pages in the order of the navigation. */
export const PAGES: { [Id in Page]: Entry<Id> }[Page][] = [
  { id: "overview", to: "/o/$organizationId/administration", icon: ChartNoAxesColumn, needs: "reader" },
  { id: "people", to: "/o/$organizationId/administration/people", icon: Users, needs: "reader" },
  { id: "spaces", to: "/o/$organizationId/administration/spaces", icon: Layers, needs: "admin" },
  { id: "integrations", to: "/o/$organizationId/administration/integrations", icon: Blocks, needs: "admin" },
  { id: "webhooks", to: "/o/$organizationId/administration/webhooks", icon: Webhook, needs: "reader" },
  { id: "directory", to: "/o/$organizationId/administration/directory", icon: BookUser, needs: "admin" },
  {
    id: "imports",
    to: "/o/$organizationId/administration/imports",
    icon: Import,
    needs: "super_admin",
  },
  { id: "audit", to: "/o/$organizationId/administration/audit", icon: ScrollText, needs: "reader" },
  { id: "mail", to: "/o/$organizationId/administration/mail", icon: Mail, needs: "admin" },
  { id: "settings", to: "/o/$organizationId/administration/settings", icon: Settings2, needs: "admin" },
];

/** Return the role that a page needs; the server requires it too. */
export const needsOf = (page: Page): Role => PAGES.find(({ id }) => id === page)?.needs ?? "super_admin";
