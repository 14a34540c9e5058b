import { hasRole } from "../useOrganization";
import type { ApiKey } from "./queries";

/** Return whether the integration has neither a space nor a role that can view the administration. */
export const hasNoAccess = ({
  spaces,
  organization_role,
}: Pick<ApiKey, "spaces" | "organization_role">): boolean =>
  spaces.length === 0 && !hasRole(organization_role, "reader");
