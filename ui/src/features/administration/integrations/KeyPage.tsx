import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import backClasses from "@/kit/layout/BackLink.module.css";
import { ErrorPage } from "@/kit/layout/ErrorPage";
import { Loading } from "@/kit/layout/Loading";
import { NewKeyAlert } from "@/model/keys/NewKeyAlert";
import { KeyButtons } from "@/model/keys/KeyButtons";
import { managedKeys as labels } from "@/texts/managedKeys";
import { AdministrationPage } from "../AdministrationPage";
import { hasRole, useOrganization } from "../useOrganization";
import { KeyAccess } from "./KeyAccess";
import { KeyFacts } from "./KeyFacts";
import { KeyUsageSection } from "./KeyUsageSection";
import { NarrowingOffer } from "./NarrowingOffer";
import { keyOf, type ApiKey, type Shown } from "./queries";
import { useIntegrationKey } from "./useIntegrationKey";

/** The page of an integration's key: what it may do, and what it did. */
export function KeyPage() {
  const { organizationId, apiKeyId } = useParams({
    from: "/signed-in/o/$organizationId/administration/integrations/keys/$apiKeyId",
  });
  const { role } = useOrganization();
  const { data: known, error } = useQuery({
    ...keyOf(organizationId, apiKeyId),
    enabled: hasRole(role, "admin"),
  });
  if (error && !known) return <ErrorPage error={error} />;
  if (known) return <KnownKey key={known.api_key_id} known={known} />;
  return (
    <AdministrationPage title={labels.page.key} more="" needs="admin">
      <Loading />
    </AdministrationPage>
  );
}

function KnownKey({ known }: { known: ApiKey }) {
  const navigate = useNavigate();
  const params = { organizationId: known.organization_id };
  const [shown, setShown] = useState<Shown | null>(null);
  const { actions, dialog } = useIntegrationKey(known, {
    onShow: setShown,
    onRevoked: () => void navigate({ to: "/o/$organizationId/administration/integrations", params }),
  });
  const back = (
    <Link to="/o/$organizationId/administration/integrations" params={params} className={backClasses.back}>
      <ChevronLeft size={15} aria-hidden /> {labels.page.back}
    </Link>
  );
  return (
    <AdministrationPage
      title={actions.name}
      more={known.description}
      needs="admin"
      back={back}
      action={<KeyButtons {...actions} />}
    >
      {shown && <NewKeyAlert value={shown.key} onDone={() => setShown(null)} />}
      <KeyFacts known={known} />
      {actions.onEdit && <NarrowingOffer known={known} />}
      <KeyAccess known={known} />
      <KeyUsageSection known={known} />
      {dialog}
    </AdministrationPage>
  );
}
