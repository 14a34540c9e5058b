import { Checkbox, Textarea, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useChange } from "@/kit/data/useChange";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { texts } from "@/texts";
import { webhooks } from "@/texts/webhooks";
import { changeWebhook, createWebhook } from "../actions";
import { AuthenticationFields } from "./AuthenticationFields";
import { credentialsOf, draftOf, isComplete, secretStateOf } from "./authentication";
import { DeliveryFields } from "./DeliveryFields";
import { contentOf, optionsOf } from "./deliveryOptions";
import { headersOf } from "./headers";
import { webhookKeys, type Subscription, type Webhook } from "../queries";
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

export function WebhookDialog({ organizationId, webhook, onClose, onDone }: Props) {
  const [name, setName] = useState(webhook?.name ?? "");
  const [url, setUrl] = useState(webhook?.endpoint_url ?? "");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [subscriptions, setSubscriptions] = useState<Subscription[]>(webhook?.subscriptions ?? []);
  const [headerText, setHeaderText] = useState("");
  const [dropsHeaders, setDropsHeaders] = useState(false);
  const [options, setOptions] = useState(optionsOf(webhook));
  const delivery = contentOf(options);
  const [authentication, setAuthentication] = useState(draftOf(webhook?.authentication ?? null));
  const secret = secretStateOf(authentication, webhook, url);
  const isNarrow = useMediaQuery("(max-width: 679px)");
  const headerNames = webhook?.header_names ?? [];
  const headers = headersOf(headerText);
  const movesHeaders = headerNames.length > 0 && url.trim() !== webhook?.endpoint_url;
  const needsHeaders = movesHeaders && !dropsHeaders && !headerText.trim();
  const chosen = subscriptions.filter((each) => each.subject_id);
  const save = useChange({
    change: (): Promise<Done> => {
      const content: Schemas["WebhookCreate"] = {
        name: name.trim(),
        endpoint_url: url.trim(),
        description: description.trim(),
        subscriptions: chosen,
        ...delivery,
        authentication: credentialsOf(authentication),
      };
      const replaced = headerText.trim() || dropsHeaders || !webhook ? { headers: headers ?? {} } : {};
      return webhook
        ? changeWebhook(webhook, { ...content, ...replaced })
        : createWebhook(organizationId, { ...content, ...replaced });
    },
    invalidates: webhookKeys,
    done: onDone,
    handlesErrors: true,
  });
  const isIncomplete =
    !name.trim() ||
    !url.trim() ||
    chosen.length === 0 ||
    headers === null ||
    needsHeaders ||
    delivery === null ||
    !isComplete(authentication, secret);
  return (
    <FormDialog
      title={webhook ? webhooks.editTitle(webhook.name) : webhooks.create}
      size={720}
      fullScreen={isNarrow}
      action={webhook ? texts.app.save : labels.create}
      isIncomplete={isIncomplete}
      change={save}
      onSubmit={save.mutate}
      onClose={onClose}
    >
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
        description={labels.urlHint}
        placeholder="https://example.org/hooks/atrium"
        required
        withAsterisk={false}
        maxLength={2000}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <SubscriptionFields organizationId={organizationId} value={subscriptions} onChange={setSubscriptions} />
      <TextInput
        label={labels.description}
        maxLength={2000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <AuthenticationFields value={authentication} secret={secret} onChange={setAuthentication} />
      <Textarea
        label={labels.headers}
        description={
          headerNames.length > 0
            ? `${(movesHeaders ? labels.headersAgain : labels.currentHeaders)(headerNames.join(", "))} ${labels.headersHint}`
            : labels.headersHint
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
      <DeliveryFields value={options} onChange={setOptions} />
    </FormDialog>
  );
}
