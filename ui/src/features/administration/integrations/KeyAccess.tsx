import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { countedSince } from "@/model/keys/usage/usage";
import { keyLimits } from "@/texts/keyLimits";
import { administration } from "@/texts/administration";
import { managedKeys } from "@/texts/managedKeys";
import { StatusTag } from "../StatusTag";
import classes from "./KeyPage.module.css";
import { usageOf, type ApiKey } from "./queries";
import { SpaceRoles } from "./SpaceRoles";

const labels = managedKeys.page;

/** What a key may do, where it can be used, and the roles of its integration. */
export function KeyAccess({ known }: { known: ApiKey }) {
  const { data: usage } = useQuery(usageOf(known));
  const isUsed = (usage?.usage.length ?? 0) > 0; // before, what was not needed says nothing
  const isNarrowed = known.scopes !== null && known.scopes.length > 0;
  return (
    <div className={classes.access}>
      <section aria-labelledby="key-may">
        <h3 id="key-may">{labels.may}</h3>
        {isNarrowed ? (
          <ul className={classes.scopes}>
            {known.scopes?.map((scope) => (
              <li key={scope}>
                <Check size={15} aria-hidden />
                <div>
                  {keyLimits.scope[scope]}{" "}
                  <span className={classes.scope}>
                    <code>{scope}</code>
                    {isUsed && usage?.unused_scopes.includes(scope) && (
                      <StatusTag tone="quiet">{labels.unneeded(countedSince(usage))}</StatusTag>
                    )}
                  </span>
                </div>
              </li>
            ))}
          </ul>
        ) : (
          <p>{labels.full}</p>
        )}
      </section>
      <div>
        <section aria-labelledby="key-from">
          <h3 id="key-from">{labels.from}</h3>
          {known.allowed_networks ? (
            <ul className={classes.networks}>
              {known.allowed_networks.map((each) => (
                <li key={each}>
                  <code>{each}</code>
                </li>
              ))}
            </ul>
          ) : (
            <p>{labels.anywhere}</p>
          )}
        </section>
        <section aria-labelledby="key-roles">
          <h3 id="key-roles">{labels.roles}</h3>
          <p>
            {labels.inOrganization}: {administration.roles[known.organization_role]}
          </p>
          <SpaceRoles known={known} isComplete />
          <p className={classes.more}>{labels.rolesHint}</p>
        </section>
      </div>
    </div>
  );
}
