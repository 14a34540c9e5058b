import { initialsOf } from "@/kit/text/initials";
import classes from "./OrganizationMark.module.css";

/** The initials of an organization, next to its name. */
export function OrganizationMark({ name, size = 28 }: { name: string; size?: number }) {
  return (
    <span className={classes.mark} style={{ fontSize: size * 0.46 }} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}
