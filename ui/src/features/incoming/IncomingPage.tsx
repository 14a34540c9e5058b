import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { EmptyState } from "@/kit/layout/EmptyState";
import { Loading } from "@/kit/layout/Loading";
import pageClasses from "@/kit/layout/PageHead.module.css";
import { QueryResult } from "@/kit/layout/QueryResult";
import { Rows, Row } from "@/kit/layout/Rows";
import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { showNotice } from "@/kit/overlay/notices";
import { hideSecret, showSecret, SecretAlert } from "@/kit/overlay/SecretAlert";
import { formatRelative, shortDate } from "@/kit/text/times";
import { useRoomContext } from "@/model/messages/roomContext";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { ActorName } from "@/model/people/ActorName";
import { useSpaces } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { incoming } from "@/texts/incoming";
import classes from "./IncomingPage.module.css";
import { incomingOf, revokeIncoming, type IncomingWebhook, createIncoming } from "./queries";

/** The incoming webhooks of a room, for admins of its space. */
export function IncomingPage() {
  const { room, canModerate } = useRoomContext();
  const { data: spaces } = useSpaces(room.organization_id);
  if (!spaces) return <Loading />;
  if (canModerate) return <IncomingWebhooks />;
  return (
    <div className={classes.scroller}>
      <div className={pageClasses.page}>
        <EmptyState title={incoming.adminsOnly}>{incoming.adminsOnlyHint}</EmptyState>
      </div>
    </div>
  );
}

function IncomingWebhooks() {
  const { room } = useRoomContext();
  const known = useQuery(incomingOf(room.room_id));
  const [isCreating, setCreating] = useState(false);
  const revoke = useChange({
    change: revokeIncoming,
    invalidates: [incomingOf(room.room_id).queryKey],
    done: (_, { incoming_webhook_id, name }) => {
      hideSecret(room.room_id, incoming_webhook_id);
      showNotice(incoming.revoked(name));
    },
  });
  return (
    <div className={classes.scroller}>
      <div className={pageClasses.page}>
        <div className={pageClasses.head}>
          <div className={pageClasses.about}>
            <h2>{incoming.title}</h2>
            <p>{incoming.hint}</p>
          </div>
          {room.archived_at === null && (
            <div className={pageClasses.action}>
              <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
                {incoming.create}
              </Button>
            </div>
          )}
        </div>
        {room.archived_at !== null && <p className={classes.archived}>{incoming.archived}</p>}
        <NewUrlAlert roomId={room.room_id} />
        <QueryResult of={known}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState icon={<Webhook size={22} aria-hidden />} title={incoming.none}>
                {incoming.noneHint}
              </EmptyState>
            ) : (
              <Rows label={incoming.title}>
                {all.map((each) => (
                  <IncomingRow
                    key={each.incoming_webhook_id}
                    known={each}
                    organizationId={room.organization_id}
                    onRevoke={() => revoke.mutate(each)}
                  />
                ))}
              </Rows>
            )
          }
        </QueryResult>
      </div>
      {isCreating && <NewIncomingDialog roomId={room.room_id} onClose={() => setCreating(false)} />}
    </div>
  );
}

interface Props {
  known: IncomingWebhook;
  organizationId: string;
  onRevoke: () => void;
}

const labels = texts.apiKeys;

/** An incoming webhook: its name, its key, when it was last used, and its actions. */
function IncomingRow({ known, organizationId, onRevoke }: Props) {
  return (
    <Row
      picture={<ActorAvatar organizationId={organizationId} actorId={known.integration_id} />}
      title={<bdi>{known.name}</bdi>}
      details={
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
        question={incoming.revokeHint}
        action={incoming.revoke}
        isDangerous
        onConfirm={onRevoke}
      />
    </Row>
  );
}

interface NewIncomingDialogProps {
  roomId: string;
  onClose: () => void;
}

function NewIncomingDialog({ roomId, onClose }: NewIncomingDialogProps) {
  const [name, setName] = useState("");
  const create = useChange({
    change: () => createIncoming(roomId, name.trim()),
    invalidates: [incomingOf(roomId).queryKey],
    done: ({ incoming_webhook_id: id, name, url }) => {
      showSecret(roomId, { id, name, value: url });
      onClose();
    },
    handlesErrors: true,
  });
  return (
    <FormDialog
      title={incoming.create}
      action={incoming.create}
      isIncomplete={!name.trim()}
      change={create}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextInput
        label={incoming.name}
        description={incoming.nameHint}
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}

const example = { copy: incoming.copyExample, copied: incoming.exampleCopied };

/** Return a curl command that posts to the webhook. The URL needs no quoting in a shell. */
const commandFor = (url: string) => `curl -d '{"text": "Hello"}' ${url}`;

/** The URL of a new incoming webhook of a room, shown once. */
function NewUrlAlert({ roomId }: { roomId: string }) {
  return (
    <SecretAlert
      place={roomId}
      title={incoming.shown}
      hint={incoming.shownHint}
      labels={incoming}
      example={(url) => ({ hint: incoming.example, command: commandFor(url), labels: example })}
    />
  );
}
