import { shortDate } from "@/kit/times";
import { ActorName } from "@/model/people/ActorName";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { webhooks } from "@/texts/webhooks";
import { AuthenticationFacts } from "./AuthenticationFacts";
import { filterOf, subjectName } from "./model";
import type { Webhook } from "./queries";
import classes from "./WebhookPages.module.css";

const labels = webhooks;

/** The endpoint and the subscriptions of a webhook. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { spaces } = useSpacesWithRooms(webhook.organization_id);
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{labels.facts.url}</dt>
        <dd>{webhook.endpoint_url}</dd>
      </div>
      <div>
        <dt>{labels.facts.subscriptions}</dt>
        {webhook.subscriptions.map((each, at) => (
          <dd key={at}>
            {labels.events[each.subscription_type]} ·{" "}
            <bdi>{subjectName(each, spaces, webhook.deleted_subjects)}</bdi>
            {each.filter?.room_type && ` · ${texts.rooms.types[each.filter.room_type].name}`}
            {filterOf(each).map((part) => ` · ${part}`)}
          </dd>
        ))}
      </div>
      {webhook.header_names.length > 0 && (
        <div>
          <dt>{labels.facts.headers}</dt>
          <dd>{webhook.header_names.join(", ")}</dd>
        </div>
      )}
      {(webhook.ordering === "room" || webhook.rate_limit) && (
        <div>
          <dt>{labels.facts.deliveries}</dt>
          {webhook.ordering === "room" && <dd>{labels.form.orderings.room}</dd>}
          {webhook.rate_limit && <dd>{labels.facts.rate(webhook.rate_limit)}</dd>}
        </div>
      )}
      <AuthenticationFacts webhook={webhook} />
      <div>
        <dt>{labels.facts.created}</dt>
        <dd>
          {shortDate(webhook.created_at)}
          {webhook.created_by && (
            <>
              {" "}
              {labels.facts.by}{" "}
              <ActorName organizationId={webhook.organization_id} actorId={webhook.created_by} />
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}
