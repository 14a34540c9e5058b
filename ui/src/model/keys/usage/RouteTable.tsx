import { Table } from "@mantine/core";
import { Fragment } from "react";
import { utcDay } from "@/kit/text/times";
import { keyUsage as labels } from "@/texts/keyUsage";
import classes from "./KeyUsage.module.css";
import type { UsedRoute } from "./usage";

const COUNTS = ["requests", "forbidden", "limited"] as const;

/** The routes that a key used, with the scope that each needs. */
export function RouteTable({ routes }: { routes: UsedRoute[] }) {
  return (
    <div className={classes.scroller} tabIndex={0} role="group" aria-label={labels.routes}>
      <Table verticalSpacing={7} aria-label={labels.routes}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{labels.columns.route}</Table.Th>
            {COUNTS.map((each) => (
              <Table.Th key={each} scope="col" ta="right" title={labels.columnsHint[each]}>
                {labels.columns[each]}
              </Table.Th>
            ))}
            <Table.Th scope="col">{labels.columns.scope}</Table.Th>
            <Table.Th scope="col" ta="right">
              {labels.columns.last}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {routes.map((each) => (
            <RouteRow key={`${each.method} ${each.route} ${each.scope}`} used={each} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function RouteRow({ used }: { used: UsedRoute }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <code className={classes.route}>
          <b>{used.method}</b>{" "}
          {used.route.split(/(?<=\/)/).map((part, at) => (
            <Fragment key={at}>
              {part}
              <wbr />
            </Fragment>
          ))}
        </code>
      </Table.Th>
      {COUNTS.map((each) => (
        <Table.Td key={each} ta="right" data-problem={(each !== "requests" && used[each] > 0) || undefined}>
          {used[each].toLocaleString()}
        </Table.Td>
      ))}
      <Table.Td className={classes.scope}>
        {used.scope ? <code>{used.scope}</code> : used.needsAllScopes ? labels.allScopes : labels.noScope}
      </Table.Td>
      <Table.Td ta="right" className={classes.day}>
        {utcDay(used.lastDay)}
      </Table.Td>
    </Table.Tr>
  );
}
