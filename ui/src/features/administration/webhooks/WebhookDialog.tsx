import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";
import { texts } from "@/texts";
import { webhooks } from "@/texts/webhooks";
import { changeWebhook, createWebhook } from "./actions";
import { headersOf } from "./model";
import { pausesAsText, pausesOf } from "./pauses";
import type { Subscription, Webhook } from "./queries";
import { SubscriptionFields } from "./SubscriptionFields";

interface Done {
  webhook: Webhook;
  secret?: string;
}

interface Props {
  organizationId: string;
  /** The webhook to edit; without it, the dialog creates one. */
  webhook?: Webhook;
  onClose: () => void;
  onDone: (done: Done) => void;
}

const labels = webhooks.form;
const MAX_LIMIT = "15";
const LIMITS = Array.from({ length: 15 }, (_, index) => String(index + 1));

export function WebhookDialog({ organizationId, webhook, onClose, onDone }: Props) {
  const [name, setName] = useState(webhook?.name ?? "");
  const [url, setUrl] = useState(webhook?.endpoint_url ?? "");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [subscriptions, setSubscriptions] = useState<Subscription[]>(webhook?.subscriptions ?? []);
  const [headerText, setHeaderText] = useState("");
  const [dropsHeaders, setDropsHeaders] = useState(false);
  const [retries, setRetries] = useState(webhook?.retry_schedule ? pausesAsText(webhook.retry_schedule) : "");
  const [limit, setLimit] = useState(String(webhook?.time_limit ?? MAX_LIMIT));
  const pauses = pausesOf(retries);
  const isNarrow = useMediaQuery("(max-width: 679px)");
  const headerNames = webhook?.header_names ?? [];
  const headers = headersOf(headerText);
  const chosen = subscriptions.filter((each) => each.subject_id);
  const save = useMutation({
    mutationFn: (): Promise<Done> => {
      const content: Schemas["WebhookCreate"] = {
        name: name.trim(),
        endpoint_url: url.trim(),
        description: description.trim(),
        subscriptions: chosen,
        retry_schedule: retries.trim() ? pauses : null,
        time_limit: limit === MAX_LIMIT ? null : Number(limit),
      };
      const replaced = headerText.trim() || dropsHeaders || !webhook ? { headers: headers ?? {} } : {};
      return webhook
        ? changeWebhook(webhook, { ...content, ...replaced })
        : createWebhook(organizationId, { ...content, ...replaced });
    },
    onSuccess: onDone,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size={720}
      fullScreen={isNarrow}
      title={webhook ? webhooks.editTitle(webhook.name) : webhooks.create}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          {save.isError && (
            <Alert color="red" role="alert">
              {messageOf(save.error)}
            </Alert>
          )}
          <TextInput
            label={labels.name}
            required
            withAsterisk={false}
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            type="url"
            label={labels.url}
            description={labels.urlMore}
            placeholder="https://example.org/hooks/atrium"
            required
            withAsterisk={false}
            maxLength={2000}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <SubscriptionFields
            organizationId={organizationId}
            value={subscriptions}
            onChange={setSubscriptions}
          />
          <TextInput
            label={labels.description}
            maxLength={2000}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Textarea
            label={labels.headers}
            description={
              headerNames.length > 0
                ? `${labels.currentHeaders(headerNames.join(", "))} ${labels.headersMore}`
                : labels.headersMore
            }
            rows={2}
            spellCheck={false}
            value={headerText}
            error={headers === null && labels.headersRefused}
            onChange={(event) => setHeaderText(event.currentTarget.value)}
          />
          {headerNames.length > 0 && (
            <Checkbox
              label={labels.dropHeaders}
              checked={dropsHeaders}
              onChange={(event) => setDropsHeaders(event.currentTarget.checked)}
            />
          )}
          <Group align="flex-start" grow>
            <TextInput
              label={labels.retries}
              description={labels.retriesMore}
              placeholder={labels.retriesHint}
              value={retries}
              error={pauses === null && labels.retriesRefused}
              onChange={(event) => setRetries(event.currentTarget.value)}
            />
            <NativeSelect
              label={labels.timeLimit}
              description={labels.timeLimitMore}
              value={limit}
              data={LIMITS.map((value) => ({ value, label: labels.seconds(Number(value)) }))}
              onChange={(event) => setLimit(event.currentTarget.value)}
            />
          </Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button
              type="submit"
              loading={save.isPending}
              disabled={
                !name.trim() || !url.trim() || chosen.length === 0 || headers === null || pauses === null
              }
            >
              {webhook ? texts.app.save : labels.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
