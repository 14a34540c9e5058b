import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { BookOpenText, Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { ErrorPage } from "@/kit/layout/ErrorPage";
import { Loading } from "@/kit/layout/Loading";
import { administration } from "@/texts/administration";
import { eventCatalogue } from "@/texts/webhookEvents";
import { webhooks } from "@/texts/webhooks";
import { AdministrationPage } from "../../AdministrationPage";
import { useMayManage, webhooksOf } from "../queries";
import { storeSecret } from "../secrets";
import { WebhookDialog } from "../form/WebhookDialog";
import classes from "./WebhookPages.module.css";
import { WebhookRow } from "./WebhookRow";

const labels = webhooks;

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
      {...administration.pages.webhooks}
      needs="reader"
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
          <Webhook size={30} aria-hidden />
          <h2>{labels.none}</h2>
          <p>{labels.noneMore}</p>
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
            if (secret) storeSecret(webhook.id, secret);
            const params = { organizationId, webhookId: webhook.id };
            void navigate({ to: "/o/$organizationId/administration/webhooks/$webhookId", params });
          }}
        />
      )}
    </AdministrationPage>
  );
}
