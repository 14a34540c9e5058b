import { Table } from "@mantine/core";
import { imports as labels } from "@/texts/imports";
import classes from "./Imports.module.css";
import type { Counts } from "./queries";

interface Props {
  counts: Counts;
  /** Whether it is imported already. */
  isDone: boolean;
}

const KINDS = ["people", "bots", "rooms", "messages"] as const;

/** What is in an export, by kind, and what is left out or changed. */
export function ImportCounts({ counts, isDone }: Props) {
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
