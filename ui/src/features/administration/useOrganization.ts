import { useParams } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useOwnOrganizations } from "@/model/people/queries";

export type Role = Schemas["OwnOrganization"]["role"];
export const ROLES: Role[] = ["guest", "member", "reader", "admin", "super_admin"];

/** Return whether a role is at least `needed`, as in the server's table of permissions. */
export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/** Return the roles that a role can assign: only a super admin assigns admin and super_admin. */
export const assignableBy = (role: Role): Role[] =>
  ROLES.filter((each) => role === "super_admin" || !hasRole(each, "admin"));

/** Return the organization of the page, and the reader's role in it. */
export function useOrganization(): { organizationId: string; name: string; role: Role } {
  const { organizationId = "" } = useParams({ strict: false });
  const own = useOwnOrganizations().find((each) => each.organization_id === organizationId);
  return { organizationId, name: own?.name ?? "", role: own?.role ?? "guest" };
}
