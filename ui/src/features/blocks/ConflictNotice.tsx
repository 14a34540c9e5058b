import { Alert, Button, Group } from "@mantine/core";
import { BlockContent } from "@/model/blocks/BlockContent";
import { dateAndTime } from "@/kit/text/times";
import { ActorName } from "@/model/people/ActorName";
import { blocks as texts } from "@/texts/blocks";
import classes from "./BlocksPage.module.css";
import type { Draft } from "./rows";

interface Props {
  draft: Draft;
  organizationId: string;
  onKeep: (keep: "mine" | "theirs") => void;
}

/** Both versions of a block that two people changed at the same time, and the choice between them. */
export function ConflictNotice({ draft, organizationId, onKeep }: Props) {
  const { theirs } = draft;
  if (!theirs) return null;
  const who = theirs.updated_by ? (
    <ActorName organizationId={organizationId} actorId={theirs.updated_by} />
  ) : (
    texts.someone
  );
  const when = <time dateTime={theirs.updated_at}>{dateAndTime(theirs.updated_at)}</time>;
  return (
    <Alert
      color="yellow"
      mt="xs"
      role="alert"
      title={
        <>
          {who} {texts.conflict} ({when})
        </>
      }
    >
      <div className={classes.versions}>
        <section aria-label={texts.theirs}>
          <p>{texts.theirs}</p>
          <BlockContent type={theirs.type} content={theirs.content} organizationId={organizationId} />
        </section>
        <section aria-label={texts.mine}>
          <p>{texts.mine}</p>
          <BlockContent type={draft.type} content={draft.content} organizationId={organizationId} />
        </section>
      </div>
      <Group gap="xs">
        <Button size="compact-md" onClick={() => onKeep("mine")}>
          {texts.keepMine}
        </Button>
        <Button size="compact-md" variant="default" onClick={() => onKeep("theirs")}>
          {texts.takeTheirs}
        </Button>
      </Group>
    </Alert>
  );
}
