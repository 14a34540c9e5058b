import type { Schemas } from "@/api/client";
import { keyLimits } from "@/texts/keyLimits";

type Limited = Pick<Schemas["ApiKey"], "scopes" | "allowed_networks">;

/** The limits of a key in a line, or nothing for a key without limits. */
export function KeyLimits({ known }: { known: Limited }) {
  const limits = [
    known.scopes && keyLimits.only(known.scopes.join(", ")),
    known.allowed_networks && keyLimits.from(known.allowed_networks.join(", ")),
  ].filter((each) => each !== null);
  return limits.length > 0 && <div>{limits.join(" · ")}</div>;
}
