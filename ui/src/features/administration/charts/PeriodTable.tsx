import { Table } from "@mantine/core";
import type { ChartProps } from "./ChartFrame";
import { shownValue } from "./ChartFrame";
import classes from "./PeriodTable.module.css";

interface Props extends ChartProps {
  /** The heading of the periods, such as "Day". */
  heading: string;
}

/** The values of a chart as a table, newest period first. */
export function PeriodTable({ label, heading, periods, series, format }: Props) {
  return (
    <div className={classes.scroller} tabIndex={0} role="region" aria-label={label}>
      <Table verticalSpacing={5} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{heading}</Table.Th>
            {series.map(({ name, title }) => (
              <Table.Th key={name} scope="col" ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {periods.toReversed().map(({ key, name: period, values }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400}>
                {period}
              </Table.Th>
              {series.map(({ name }) => (
                <Table.Td key={name} ta="right">
                  {shownValue(values[name], format)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
