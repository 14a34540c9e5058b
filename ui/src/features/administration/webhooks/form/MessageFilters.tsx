import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import { FilterSelect } from "@/kit/input/FilterSelect";
import { webhooks } from "@/texts/webhooks";
import { hasMessageFilter, MAX_WORDS, MESSAGE, wordsOf, withFilter, withMessage } from "./subscriptions";
import type { Subscription } from "../queries";
import classes from "./WebhookDialog.module.css";

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
        <FilterSelect
          size="sm"
          label={labels.from}
          any={labels.anyone}
          value={filter?.sender_type}
          choices={SENDERS.map((value) => ({ value, label: labels.senders[value] }))}
          onChange={(sender_type) => onChange(withFilter(subscription, { sender_type }))}
        />
        <FilterSelect
          size="sm"
          label={labels.thread}
          any={labels.anywhere}
          value={filter?.thread}
          choices={PLACES.map((value) => ({ value, label: labels.places[value] }))}
          onChange={(thread) => onChange(withFilter(subscription, { thread }))}
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
