import { holds } from "../useOrganization";
import type { ApiKey } from "./queries";

/** Whether an integration can do nothing at all: integrations inherit no space, and its role opens no administration. */
export const reachesNothing = ({
  spaces,
  organization_role,
}: Pick<ApiKey, "spaces" | "organization_role">): boolean =>
  spaces.length === 0 && !holds(organization_role, "reader");
