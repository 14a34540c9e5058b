import { ActionIcon, Button, NativeSelect, Text } from "@mantine/core";
import { useQuery, keepPreviousData } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useDebouncedValue } from "@mantine/hooks";
import { FilterSelect } from "@/kit/input/FilterSelect";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { texts } from "@/texts";
import { webhooks } from "@/texts/webhooks";
import { eventTypes, type Subscription, previewOf } from "../queries";
import { MessageFilters } from "./MessageFilters";
import classes from "./WebhookDialog.module.css";
import {
  eventChoices,
  hasText,
  mayFilter,
  subjectChoices,
  subjectName,
  subjectOf,
  subjectValue,
  withEvent,
  withFilter,
} from "./subscriptions";

interface Props {
  organizationId: string;
  value: Subscription[];
  onChange: (value: Subscription[]) => void;
}

const labels = webhooks.form;
const TYPES = ["chat", "post", "video"] as const;
const EMPTY: Subscription = {
  subject_type: "WEBHOOK_SUBJECT_TYPE_SPACE",
  subject_id: "",
  subscription_type: "WEBHOOK_SUBSCRIPTION_TYPE_MESSAGE_SENT",
};

/** The subscriptions of a webhook: events, and rooms or spaces by name. */
export function SubscriptionFields({ organizationId, value, onChange }: Props) {
  const { spaces } = useSpacesWithRooms(organizationId);
  const { data: types = [] } = useQuery(eventTypes);
  const typeOf = (wanted: string) => types.find((each) => each.subscription_type === wanted);
  const lines = value.length > 0 ? value : [EMPTY];
  const replace = (at: number, changed: Subscription) => onChange(lines.with(at, changed));
  return (
    <fieldset className={classes.fields}>
      <legend>{labels.subscriptions}</legend>
      {lines.map((each, at) => (
        <div key={at}>
          <div className={classes.line}>
            <NativeSelect
              size="sm"
              aria-label={labels.event}
              value={each.subscription_type}
              data={eventChoices()}
              onChange={(event) => {
                const type = typeOf(event.currentTarget.value);
                if (type) replace(at, withEvent(each, type, organizationId));
              }}
            />
            <NativeSelect
              size="sm"
              aria-label={labels.where}
              value={subjectValue(each)}
              data={[
                { value: "", label: `${labels.where} …` },
                ...unreached(each, subjectName(each, spaces)),
                ...subjectChoices(
                  typeOf(each.subscription_type)?.subject_types ?? [],
                  spaces,
                  organizationId,
                ),
              ]}
              onChange={(event) => replace(at, { ...each, ...subjectOf(event.currentTarget.value) })}
            />
            <FilterSelect
              size="sm"
              aria-label={labels.roomType}
              disabled={!mayFilter(each, typeOf(each.subscription_type))}
              any={labels.anyType}
              value={each.filter?.room_type}
              choices={TYPES.map((value) => ({ value, label: texts.rooms.types[value].name }))}
              onChange={(room_type) => replace(at, withFilter(each, { room_type }))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={labels.remove}
              disabled={lines.length === 1}
              onClick={() => onChange(lines.filter((_, index) => index !== at))}
            >
              <Trash2 size={16} aria-hidden />
            </ActionIcon>
          </div>
          {hasText(typeOf(each.subscription_type)) && (
            <MessageFilters
              key={lines.length}
              subscription={each}
              onChange={(changed) => replace(at, changed)}
            />
          )}
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => onChange([...lines, EMPTY])}
      >
        {labels.add}
      </Button>
      <Button
        component="a"
        size="compact-sm"
        variant="subtle"
        target="_blank"
        rel="noopener"
        href={`/o/${organizationId}/administration/webhooks/events`}
      >
        {labels.allEvents}
      </Button>
      <SubscriptionPreview organizationId={organizationId} of={value.filter((each) => each.subject_id)} />
    </fieldset>
  );
}

/** A subscribed room or space that the reader cannot access stays among the choices. */
const unreached = (each: Subscription, name: string) =>
  each.subject_id && name === labels.unreached ? [{ value: subjectValue(each), label: name }] : [];

const SETTLES_MS = 400;

/** How many of the newest messages the subscriptions would have chosen. */
function SubscriptionPreview({ organizationId, of }: { organizationId: string; of: Subscription[] }) {
  const [settled] = useDebouncedValue(of, SETTLES_MS);
  const { data } = useQuery({
    ...previewOf(organizationId, settled),
    enabled: settled.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!data || data.messages === 0 || of.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {webhooks.form.preview(data.chosen, data.messages)}
    </Text>
  );
}
