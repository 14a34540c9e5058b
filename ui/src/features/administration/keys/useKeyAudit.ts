import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../useOrganization";

/** Return a function that shows what was done with a key, in the audit log. */
export function useKeyAudit(apiKeyId: string): () => void {
  const navigate = useNavigate();
  const { organizationId } = useOrganization();
  return () =>
    void navigate({
      to: "/o/$organizationId/administration/audit",
      params: { organizationId },
      search: { key: apiKeyId },
    });
}
