import { Table } from "@mantine/core";
import { administration } from "@/texts/administration";
import { dayOf } from "./chart";
import classes from "./DayTable.module.css";
import type { Charted, Series } from "./series";

interface Props<Name extends string> {
  label: string;
  days: Charted<Name>[];
  series: Series<Name>[];
}

/** The values of a chart as a table, newest day first. */
export function DayTable<Name extends string>({ label, days, series }: Props<Name>) {
  return (
    <div className={classes.scroller} tabIndex={0} role="region" aria-label={label}>
      <Table verticalSpacing={5} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{administration.overview.day}</Table.Th>
            {series.map(({ name, title }) => (
              <Table.Th key={name} scope="col" ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.date}>
              <Table.Th scope="row" fw={400}>
                {dayOf(day.date)}
              </Table.Th>
              {series.map(({ name }) => (
                <Table.Td key={name} ta="right">
                  {day[name].toLocaleString()}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
