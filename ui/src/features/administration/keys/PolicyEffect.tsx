import { Link } from "@tanstack/react-router";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { formatRelative, shortDate } from "@/kit/text/times";
import { texts } from "@/texts";
import { keyPolicy as labels } from "@/texts/keyPolicy";
import { useOrganization } from "../useOrganization";
import { StatusTag } from "../StatusTag";
import classes from "./KeyPolicyForm.module.css";
import { hasRules, type AffectedKey, type KeyPolicyEffect } from "./policy";

interface Props {
  effect: KeyPolicyEffect;
  /** Whether these rules apply already. */
  isInForce: boolean;
}

/** The keys that a policy does not allow, with the reasons and links to change them. */
export function PolicyEffect({ effect: { key_policy: policy, affected }, isInForce }: Props) {
  const { organization_keys, personal_keys, keys } = affected;
  const fits = keys.length === 0;
  const Icon = fits ? CircleCheck : TriangleAlert;
  return (
    <section className={classes.effect} aria-labelledby="policy-effect">
      <h3 id="policy-effect">{labels.preview}</h3>
      {hasRules(policy) ? (
        <div role="status">
          <p className={classes.unfit} data-fits={fits || undefined}>
            <Icon size={16} aria-hidden />
            {fits ? labels.allFit : labels.unfit(organization_keys, personal_keys)}
          </p>
          {!fits && <p>{isInForce ? labels.haveStopped : whenOf(policy.enforce_at)}</p>}
          {keys.length < organization_keys + personal_keys && <p>{labels.onlyFirst(keys.length)}</p>}
        </div>
      ) : (
        <p role="status">{labels.noRules}</p>
      )}
      {!fits && (
        <ul aria-label={labels.preview} tabIndex={0}>
          {keys.map((each) => (
            <AffectedRow key={each.api_key_id} affected={each} isInForce={isInForce} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AffectedRow({ affected, isInForce }: { affected: AffectedKey; isInForce: boolean }) {
  const { organizationId } = useOrganization();
  const { api_key_id, is_personal, name, last_four, owner_id, owner_name, last_used_at, reasons } = affected;
  return (
    <li>
      <div className={classes.key}>
        {is_personal ? (
          <Link
            to="/o/$organizationId/administration/integrations/personal"
            params={{ organizationId }}
            search={{ person: owner_id }}
          >
            <bdi>{owner_name}</bdi>
          </Link>
        ) : (
          <Link
            to="/o/$organizationId/administration/integrations/keys/$apiKeyId"
            params={{ organizationId, apiKeyId: api_key_id }}
          >
            <bdi>{owner_name}</bdi>
          </Link>
        )}
        {affected.stopped && <StatusTag tone="bad">{isInForce ? labels.stopped : labels.stops}</StatusTag>}
      </div>
      <p>
        {name !== owner_name && (
          <>
            <bdi>{name}</bdi> ·{" "}
          </>
        )}
        …{last_four} ·{" "}
        {last_used_at ? texts.apiKeys.used(formatRelative(last_used_at, new Date())) : texts.apiKeys.unused}
      </p>
      <p>{reasons.map((each) => labels.reasons[each]).join(" · ")}</p>
    </li>
  );
}

const whenOf = (at: string | null): string =>
  at !== null && Date.parse(at) > Date.now() ? labels.stopAt(shortDate(at)) : labels.stopNow;
