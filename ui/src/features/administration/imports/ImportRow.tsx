import { Button, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { useChange } from "@/kit/data/useChange";
import { Row } from "@/kit/layout/Rows";
import { ConfirmButton } from "@/kit/overlay/ConfirmButton";
import { formatBytes } from "@/kit/text/units";
import { formatRelative } from "@/kit/text/times";
import { useSpaces } from "@/model/spaces/queries";
import { imports as labels } from "@/texts/imports";
import { StatusTag, type Tone } from "../StatusTag";
import { useOrganization } from "../useOrganization";
import { ImportProgress } from "./ImportProgress";
import classes from "./Imports.module.css";
import { cancelImport, importsKey, startImport, type Import, type Counts } from "./queries";

const TONES: Record<Import["status"], Tone> = {
  uploading: "quiet",
  checking: "quiet",
  ready: "warn",
  importing: "quiet",
  done: "good",
  failed: "bad",
  canceled: "quiet",
};

/** An import: its state and progress, what is in it, and what can be done about it. */
export function ImportRow({ one }: { one: Import }) {
  const { organizationId } = useOrganization();
  const { data: spaces } = useSpaces(organizationId);
  const space = spaces?.find((each) => each.space_id === one.space_id)?.name;
  const counts = one.added ?? one.found;
  return (
    <Row
      title={<bdi>{one.name}</bdi>}
      mark={
        <span role="status">
          <StatusTag tone={TONES[one.status]}>{labels.states[one.status]}</StatusTag>
        </span>
      }
      details={
        <>
          {space && <>{labels.into(space)} · </>}
          {formatBytes(one.size)} · {formatRelative(one.created_at, new Date())}
          <ImportProgress one={one} />
          {one.reason && <div>{one.reason}</div>}
          {counts && one.status !== "importing" && (
            <ImportCounts counts={counts} isDone={one.added !== null} />
          )}
          {one.status === "ready" && <div>{adviceOn(one)}</div>}
        </>
      }
    >
      <Tools one={one} />
    </Row>
  );
}

function adviceOn({ found }: Import): string {
  const isNew = found && found.people.new + found.bots.new + found.rooms.new + found.messages.new > 0;
  return isNew ? labels.notYet : labels.nothingNew;
}

function Tools({ one }: { one: Import }): ReactNode {
  const { organizationId } = useOrganization();
  const stale = [importsKey(organizationId)];
  const start = useChange({ change: () => startImport(organizationId, one.import_id), invalidates: stale });
  const cancel = useChange({
    change: () => cancelImport(organizationId, one.import_id),
    invalidates: stale,
    done: labels.canceledNotice,
  });
  if (one.ended_at) return null;
  return (
    <>
      {one.status === "ready" && (
        <Button
          size="compact-sm"
          aria-label={labels.startOne(one.name)}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {labels.start}
        </Button>
      )}
      <ConfirmButton
        question={labels.cancelQuestion}
        action={labels.cancel}
        isDangerous
        onConfirm={() => cancel.mutate()}
      />
    </>
  );
}

interface Props {
  counts: Counts;
  /** Whether it is imported already. */
  isDone: boolean;
}

const KINDS = ["people", "bots", "rooms", "messages"] as const;

/** What is in an export, by kind, and what is left out or changed. */
function ImportCounts({ counts, isDone }: Props) {
  const shown = KINDS.filter((kind) => kind !== "bots" || counts.bots.new + counts.bots.known > 0);
  return (
    <>
      <Table className={classes.counts} withRowBorders={false} verticalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{labels.kind}</Table.Th>
            <Table.Th scope="col">{isDone ? labels.added : labels.isNew}</Table.Th>
            <Table.Th scope="col">{labels.known}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((kind) => (
            <Table.Tr key={kind}>
              <Table.Th scope="row">{labels.counts[kind]}</Table.Th>
              <Table.Td>{counts[kind].new.toLocaleString()}</Table.Td>
              <Table.Td>{counts[kind].known.toLocaleString()}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {counts.notes.length > 0 && (
        <ul className={classes.notes}>
          {counts.notes.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
    </>
  );
}
