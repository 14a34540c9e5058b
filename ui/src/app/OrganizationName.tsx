import { ChevronDown } from "lucide-react";
import { lazy, useState } from "react";
import { Opener } from "@/kit/overlay/Opener";
import { OrganizationMark } from "@/model/people/OrganizationMark";
import { useOwnOrganizations } from "@/model/people/queries";
import { texts } from "@/texts";
import classes from "./OrganizationName.module.css";

const load = () => import("./OrganizationMenu");
const OrganizationMenu = lazy(() => load().then((m) => ({ default: m.OrganizationMenu })));

/** The current organization; for members of several, a button that opens their menu. */
export function OrganizationName({ organizationId }: { organizationId: string }) {
  const all = useOwnOrganizations();
  const [isOpen, setOpen] = useState(false);
  const own = all.find((each) => each.organization_id === organizationId);
  const name = own && (
    <>
      <OrganizationMark name={own.name} />
      <bdi className={classes.text}>{own.name}</bdi>
    </>
  );
  if (all.length < 2) return <div className={classes.name}>{name}</div>;
  return (
    <Opener
      isOpen={isOpen}
      onChange={setOpen}
      opens="menu"
      load={load}
      button={
        <button
          type="button"
          className={classes.name}
          aria-label={texts.organizations.change(own?.name ?? "")}
        >
          {name}
          <ChevronDown size={16} aria-hidden />
        </button>
      }
    >
      <OrganizationMenu organizationId={organizationId} />
    </Opener>
  );
}
