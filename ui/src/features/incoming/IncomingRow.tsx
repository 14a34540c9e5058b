import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import { Row } from "@/kit/layout/Rows";
import { formatRelative, shortDate } from "@/kit/text/times";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import { texts } from "@/texts";
import { incoming } from "@/texts/incoming";
import type { IncomingWebhook } from "./queries";

interface Props {
  known: IncomingWebhook;
  organizationId: string;
  onRevoke: () => void;
}

const labels = texts.apiKeys;

/** An incoming webhook: its name, its key, when it was last used, and its actions. */
export function IncomingRow({ known, organizationId, onRevoke }: Props) {
  return (
    <Row
      picture={<ActorAvatar organizationId={organizationId} actorId={known.integration_id} />}
      title={<bdi>{known.name}</bdi>}
      more={
        <>
          <code>…/atrh_…{known.last_four}</code> ·{" "}
          {known.last_used_at ? labels.used(formatRelative(known.last_used_at, new Date())) : labels.unused} ·{" "}
          {labels.made(shortDate(known.created_at))}
          {known.created_by && (
            <>
              {" "}
              {incoming.by} <ActorName organizationId={organizationId} actorId={known.created_by} />
            </>
          )}
        </>
      }
    >
      <ConfirmButton
        question={incoming.revokeMore}
        action={incoming.revoke}
        isDangerous
        onConfirm={onRevoke}
      />
    </Row>
  );
}
