import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { webhooks } from "@/texts/webhooks";
import { hasMessageFilter, MAX_WORDS, MESSAGE, wordsOf, withFilter, withMessage } from "./subscriptions";
import type { Subscription } from "../queries";
import classes from "./SubscriptionFields.module.css";

interface Props {
  subscription: Subscription;
  onChange: (changed: Subscription) => void;
}

const labels = webhooks.form.filters;
const SENDERS = ["person", "integration"] as const;
const PLACES = ["root", "reply"] as const;

/** Narrows a subscription to certain messages, and adds the message to its events. */
export function MessageFilters({ subscription, onChange }: Props) {
  const { filter } = subscription;
  const [words, setWords] = useState(filter?.words?.join(" ") ?? "");
  const [isOpen] = useState(hasMessageFilter(subscription));
  return (
    <details className={classes.more} open={isOpen}>
      <summary>{labels.title}</summary>
      <div className={classes.filters}>
        <NativeSelect
          size="sm"
          label={labels.from}
          value={filter?.sender_type ?? ""}
          data={[
            { value: "", label: labels.anyone },
            ...SENDERS.map((value) => ({ value, label: labels.senders[value] })),
          ]}
          onChange={(event) => {
            const sender_type = SENDERS.find((each) => each === event.currentTarget.value);
            onChange(withFilter(subscription, { sender_type }));
          }}
        />
        <NativeSelect
          size="sm"
          label={labels.thread}
          value={filter?.thread ?? ""}
          data={[
            { value: "", label: labels.anywhere },
            ...PLACES.map((value) => ({ value, label: labels.places[value] })),
          ]}
          onChange={(event) => {
            const thread = PLACES.find((each) => each === event.currentTarget.value);
            onChange(withFilter(subscription, { thread }));
          }}
        />
        <TextInput
          size="sm"
          label={labels.words}
          placeholder={labels.wordsExample}
          value={words}
          error={wordsOf(words).length > MAX_WORDS && labels.tooManyWords}
          onChange={(event) => {
            setWords(event.currentTarget.value);
            onChange(withFilter(subscription, { words: wordsOf(event.currentTarget.value) }));
          }}
        />
        <Checkbox
          label={labels.include}
          checked={subscription.include?.includes(MESSAGE) ?? false}
          onChange={(event) => onChange(withMessage(subscription, event.currentTarget.checked))}
        />
      </div>
    </details>
  );
}
