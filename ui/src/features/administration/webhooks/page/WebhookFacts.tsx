import { Fact, Facts } from "@/kit/layout/Facts";
import { shortDate } from "@/kit/text/times";
import { ActorName } from "@/model/people/ActorName";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { webhooks } from "@/texts/webhooks";
import { AuthenticationFacts } from "./AuthenticationFacts";
import { filterOf, subjectName } from "../form/subscriptions";
import type { Webhook } from "../queries";

const labels = webhooks;

/** The endpoint and the subscriptions of a webhook. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { spaces } = useSpacesWithRooms(webhook.organization_id);
  return (
    <Facts isWide>
      <Fact label={labels.facts.url}>
        <dd>{webhook.endpoint_url}</dd>
      </Fact>
      <Fact label={labels.facts.subscriptions}>
        {webhook.subscriptions.map((each, at) => (
          <dd key={at}>
            {labels.events[each.subscription_type]} ·{" "}
            <bdi>{subjectName(each, spaces, webhook.deleted_subjects)}</bdi>
            {each.filter?.room_type && ` · ${texts.rooms.types[each.filter.room_type].name}`}
            {filterOf(each).map((part) => ` · ${part}`)}
          </dd>
        ))}
      </Fact>
      {webhook.header_names.length > 0 && (
        <Fact label={labels.facts.headers}>
          <dd>{webhook.header_names.join(", ")}</dd>
        </Fact>
      )}
      {(webhook.ordering === "room" || webhook.rate_limit) && (
        <Fact label={labels.facts.deliveries}>
          {webhook.ordering === "room" && <dd>{labels.form.orderings.room}</dd>}
          {webhook.rate_limit && <dd>{labels.facts.rate(webhook.rate_limit)}</dd>}
        </Fact>
      )}
      <AuthenticationFacts webhook={webhook} />
      <Fact label={labels.facts.created}>
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
      </Fact>
    </Facts>
  );
}
