import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { BookOpenText, Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { ErrorPage } from "@/kit/layout/ErrorPage";
import { Loading } from "@/kit/layout/Loading";
import { showSecret } from "@/kit/overlay/SecretAlert";
import { shortDate } from "@/kit/text/times";
import { webhookAuthentication } from "@/texts/webhookAuthentication";
import { eventCatalogue } from "@/texts/webhookEvents";
import { webhooks as labels } from "@/texts/webhooks";
import { AdministrationPage } from "../../AdministrationPage";
import { StatusTag } from "../../StatusTag";
import { endingOf } from "../form/authentication";
import { WebhookDialog } from "../form/WebhookDialog";
import { useMayManage, webhooksOf, type Webhook, newestOf } from "../queries";
import { statusText, toneOfWebhook, toneOfDelivery } from "../status";
import classes from "./WebhookPages.module.css";

/** The webhooks of an organization, with their status. */
export function WebhooksPage() {
  const { organizationId } = useParams({ from: "/signed-in/o/$organizationId/administration/webhooks" });
  const { data: webhooks, error } = useQuery(webhooksOf(organizationId));
  const mayManage = useMayManage(organizationId);
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  if (error && !webhooks) return <ErrorPage error={error} />;
  const button = mayManage && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {labels.create}
    </Button>
  );
  return (
    <AdministrationPage
      page="webhooks"
      action={
        <>
          <Button
            variant="default"
            leftSection={<BookOpenText size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link
                to="/o/$organizationId/administration/webhooks/events"
                params={{ organizationId }}
                {...props}
              />
            )}
          >
            {eventCatalogue.link}
          </Button>
          {webhooks && webhooks.length > 0 && button}
        </>
      }
    >
      {!webhooks && <Loading />}
      {webhooks?.length === 0 && (
        <div className={classes.nothing}>
          <WebhookIcon size={30} aria-hidden />
          <h2>{labels.none}</h2>
          <p>{labels.noneHint}</p>
          {button || labels.notManage}
        </div>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className={classes.list}>
          {webhooks.map((each) => (
            <li key={each.id}>
              <WebhookRow webhook={each} />
            </li>
          ))}
        </ul>
      )}
      {isCreating && (
        <WebhookDialog
          organizationId={organizationId}
          onClose={() => setCreating(false)}
          onDone={({ webhook, secret }) => {
            if (secret) showSecret(webhook.id, { id: webhook.id, name: webhook.name, value: secret });
            const params = { organizationId, webhookId: webhook.id };
            void navigate({ to: "/o/$organizationId/administration/webhooks/$webhookId", params });
          }}
        />
      )}
    </AdministrationPage>
  );
}

const endings = webhookAuthentication.ending;

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const ending = endingOf(webhook, new Date());
  const params = { organizationId: webhook.organization_id, webhookId: webhook.id };
  return (
    <Link to="/o/$organizationId/administration/webhooks/$webhookId" params={params} className={classes.row}>
      <span className={classes.names}>
        <bdi className={classes.name}>{webhook.name}</bdi>
        <span className={classes.url}>{webhook.endpoint_url}</span>
      </span>
      <span>
        <HealthStrip webhook={webhook} />
      </span>
      <span className={classes.state}>
        <StatusTag tone={toneOfWebhook(webhook)}>{statusText(webhook)}</StatusTag>
        {webhook.failure_count > 0 && <small>{labels.failures(webhook.failure_count)}</small>}
        {ending && <small>{ending.hasEnded ? endings.rowEnded : endings.row(shortDate(ending.at))}</small>}
        {webhook.missed_count > 0 && <small>{labels.missed(webhook.missed_count)}</small>}
      </span>
    </Link>
  );
}

const SHOWN = 24;

/** The results of the latest deliveries, oldest first. */
function HealthStrip({ webhook }: { webhook: Webhook }) {
  const { data } = useQuery(newestOf(webhook.organization_id, webhook.id, SHOWN));
  if (!data) return <span className={classes.strip} />;
  if (data.length === 0) return <span className={classes.none}>{labels.noDeliveries}</span>;
  const delivered = data.filter((each) => each.status === "DELIVERY_STATUS_SUCCEEDED").length;
  return (
    <span className={classes.strip} role="img" aria-label={labels.health(delivered, data.length)}>
      {Array.from({ length: SHOWN - data.length }, (_, at) => (
        <span key={at} />
      ))}
      {[...data].reverse().map((each) => (
        <span key={each.delivery_id} data-tone={toneOfDelivery(each)} />
      ))}
    </span>
  );
}
