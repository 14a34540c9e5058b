import { SecretAlert } from "@/kit/overlay/SecretAlert";
import { texts } from "@/texts";

interface Props {
  place: string;
  /** Say whose key it is. */
  keyOf?: (name: string) => string;
}

const labels = texts.apiKeys;

/** A new key of a place, shown once. */
export function NewKeyAlert({ place, keyOf }: Props) {
  const title = (name: string) => (keyOf ? `${keyOf(name)}: ${labels.shownOnce}` : labels.shownOnce);
  return <SecretAlert place={place} title={title} hint={labels.shownOnceHint} labels={labels} />;
}
