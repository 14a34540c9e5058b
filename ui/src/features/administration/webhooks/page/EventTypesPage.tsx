import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, Copy } from "lucide-react";
import backClasses from "@/kit/layout/BackLink.module.css";
import { copy } from "@/kit/text/clipboard";
import { QueryResult } from "@/kit/layout/QueryResult";
import { eventCatalogue } from "@/texts/webhookEvents";
import { webhooks } from "@/texts/webhooks";
import { AdministrationPage } from "../../AdministrationPage";
import { CodeBox } from "../log/CodeBox";
import classes from "./EventTypesPage.module.css";
import { eventTypes, type EventType } from "../queries";

const labels = eventCatalogue;

/** Every event that webhooks receive, with an example and the JSON Schema of its body. */
export function EventTypesPage() {
  const { organizationId } = useParams({
    from: "/signed-in/o/$organizationId/administration/webhooks/events",
  });
  const back = (
    <Link
      className={backClasses.back}
      to="/o/$organizationId/administration/webhooks"
      params={{ organizationId }}
    >
      <ArrowLeft size={15} aria-hidden /> {webhooks.back}
    </Link>
  );
  return (
    <AdministrationPage page="webhooks" title={labels.title} hint={labels.hint} back={back}>
      <QueryResult of={useQuery(eventTypes)}>
        {(all) => (
          <ul className={classes.list} aria-label={labels.title}>
            {all.map((each) => (
              <li key={each.event_type} id={each.event_type}>
                <Entry type={each} />
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </AdministrationPage>
  );
}

function Entry({ type }: { type: EventType }) {
  const subjects = type.subject_types.map((each) => labels.subjects[each]);
  return (
    <details className={classes.entry}>
      <summary>
        <code>{type.event_type}</code>
        <span className={classes.description}>{type.description}</span>
        <span className={classes.subjects}>
          {subjects.length > 0 ? labels.subscribe(subjects) : labels.always}
        </span>
      </summary>
      <Json title={labels.exampleTitle} label={labels.example(type.event_type)} value={type.example} />
      <Json title={labels.schemaTitle} label={labels.schema(type.event_type)} value={type.schema} />
    </details>
  );
}

function Json({ title, label, value }: { title: string; label: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <section className={classes.json}>
      <div className={classes.head}>
        <h3>{title}</h3>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Copy size={13} aria-hidden />}
          aria-label={`${labels.copy}: ${label}`}
          onClick={() => void copy(text, labels.copied)}
        >
          {labels.copy}
        </Button>
      </div>
      <CodeBox label={label}>{text}</CodeBox>
    </section>
  );
}
