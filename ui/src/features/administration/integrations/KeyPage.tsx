import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ChevronLeft, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Alert, Button } from "@mantine/core";
import { useChange } from "@/kit/data/useChange";
import backClasses from "@/kit/layout/BackLink.module.css";
import { ErrorPage } from "@/kit/layout/ErrorPage";
import { Loading } from "@/kit/layout/Loading";
import { ConfirmDialog } from "@/kit/overlay/ConfirmDialog";
import { KeyButtons } from "@/model/keys/KeyButtons";
import { NewKeyAlert } from "@/model/keys/NewKeyAlert";
import { countedSince } from "@/model/keys/usage/usage";
import { administration } from "@/texts/administration";
import { managedKeys as labels } from "@/texts/managedKeys";
import { AdministrationPage } from "../AdministrationPage";
import { hasRole, useOrganization } from "../useOrganization";
import { KeyAccess } from "./KeyAccess";
import { KeyFacts } from "./KeyFacts";
import { KeyUsageSection } from "./KeyUsageSection";
import { narrowingOf } from "./narrowing";
import { keyOf, type ApiKey, keysOf, updateIntegration, usageOf } from "./queries";
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
    <AdministrationPage page="integrations" title={labels.page.key} hint="">
      <Loading />
    </AdministrationPage>
  );
}

function KnownKey({ known }: { known: ApiKey }) {
  const navigate = useNavigate();
  const params = { organizationId: known.organization_id };
  const { actions, dialog } = useIntegrationKey(
    known,
    () => void navigate({ to: "/o/$organizationId/administration/integrations", params }),
  );
  const back = (
    <Link to="/o/$organizationId/administration/integrations" params={params} className={backClasses.back}>
      <ChevronLeft size={15} aria-hidden /> {labels.page.back}
    </Link>
  );
  return (
    <AdministrationPage
      title={actions.name}
      hint={known.description}
      page="integrations"
      back={back}
      action={<KeyButtons {...actions} />}
    >
      <NewKeyAlert place={known.organization_id} keyOf={administration.integrations.keyOf} />
      <KeyFacts known={known} />
      {actions.onEdit && <NarrowingOffer known={known} />}
      <KeyAccess known={known} />
      <KeyUsageSection known={known} />
      {dialog}
    </AdministrationPage>
  );
}

const texts = labels.page;

/** Offers to take away what a key did not need. */
function NarrowingOffer({ known }: { known: ApiKey }) {
  const { data: usage } = useQuery(usageOf(known));
  const [isAsking, setAsking] = useState(false);
  const narrow = useChange({
    change: (scopes: ApiKey["scopes"]) => updateIntegration(known, { scopes }),
    invalidates: [keysOf(known.organization_id).queryKey],
    done: texts.narrowed,
    handlesErrors: true,
  });
  const offer = usage && narrowingOf(known, usage);
  if (!offer) return null;
  const { left, removed } = offer;
  const since = countedSince(usage);
  return (
    <Alert
      color="blue"
      mb="md"
      icon={<ShieldCheck size={18} aria-hidden />}
      title={removed ? texts.unused(removed.length, since) : texts.onlyUsed(since)}
    >
      {removed ? texts.unusedHint(removed.join(", ")) : texts.onlyUsedHint(left.join(", "))}
      <br />
      <Button size="compact-sm" variant="default" mt={8} onClick={() => setAsking(true)}>
        {removed ? texts.remove : texts.limit}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={removed ? texts.askRemove(known.key_name) : texts.askLimit(known.key_name)}
          action={removed ? texts.remove : texts.limit}
          onConfirm={() => narrow.mutateAsync(left)}
          onClose={() => setAsking(false)}
        >
          {removed ? texts.removeHint(removed.join(", ")) : texts.limitHint(left.join(", "))}
        </ConfirmDialog>
      )}
    </Alert>
  );
}
