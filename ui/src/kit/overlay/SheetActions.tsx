import type { Action } from "./actions";
import type { CloseSheet } from "./Sheet";
import classes from "./Sheet.module.css";

interface Props {
  actions: Action[];
  close: CloseSheet;
}

/** The actions of a sheet, one below the other. */
export function SheetActions({ actions, close }: Props) {
  return (
    <ul className={classes.actions}>
      {actions.map(({ name, label, icon: Icon, isDangerous, act }) => (
        <li key={name}>
          <button
            type="button"
            className={classes.action}
            data-dangerous={isDangerous || undefined}
            onClick={() => close(act)}
          >
            <Icon size={20} aria-hidden />
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}
