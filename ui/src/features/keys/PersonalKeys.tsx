import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { Loading } from "@/kit/layout/Loading";
import { NewKeyAlert } from "@/model/keys/NewKeyAlert";
import classes from "@/kit/layout/SettingsList.module.css";
import { formatRelative, shortDate } from "@/kit/text/times";
import { KeyLimits } from "@/model/keys/KeyLimits";
import { KeyMenu } from "@/model/keys/KeyMenu";
import {
  isExpired,
  maxDaysOf,
  rotatedFor,
  changedLimits,
  limitsOfNew,
  type KeyRules,
} from "@/model/keys/limits";
import { texts } from "@/texts";
import { KeyDialog, type KeyValues } from "@/model/keys/KeyDialog";
import { KeyUsageDialog } from "./KeyUsageDialog";
import {
  OWN_KEYS,
  ownKeys,
  revokeKey,
  rotateKey,
  showKey,
  type PersonalKey,
  createKey,
  updateKey,
} from "./queries";

const labels = texts.apiKeys;
const invalidates = [ownKeys.queryKey];

/** The person's own API keys. */
export function PersonalKeys() {
  const { data } = useQuery(ownKeys);
  const [edited, setEdited] = useState<PersonalKey | "new" | null>(null);
  const [viewed, setViewed] = useState<PersonalKey | null>(null);
  const maxDaysFor = (key: PersonalKey) => maxDaysOf(data?.rules ?? [], key);
  const rotate = useChange({
    change: (key: PersonalKey) => rotateKey(key, maxDaysFor(key)),
    invalidates,
    done: showKey,
    handlesErrors: true,
  });
  const revoke = useChange({ change: revokeKey, invalidates, handlesErrors: true });
  if (!data) return <Loading />;
  const { keys, rules } = data;
  return (
    <>
      <NewKeyAlert place={OWN_KEYS} />
      {keys.length > 0 && (
        <ul className={classes.keys}>
          {keys.map((each) => (
            <li key={each.api_key_id}>
              <div className={classes.about}>
                <b>
                  <bdi>{each.name}</bdi>
                </b>
                <span>
                  <code>atrp_…{each.last_four}</code> · {labels.made(shortDate(each.created_at))} ·{" "}
                  {each.last_used_at
                    ? labels.used(formatRelative(each.last_used_at, new Date()))
                    : labels.unused}
                  {each.expires_at &&
                    ` · ${isExpired(each, new Date()) ? labels.expired : labels.expires(shortDate(each.expires_at))}`}
                  <KeyLimits known={each} />
                </span>
              </div>
              <KeyMenu
                name={each.name}
                hasExpired={isExpired(each, new Date())}
                rotatedFor={rotatedFor(each, new Date(), maxDaysFor(each))}
                revokeHint={labels.revokeHint}
                onUsage={() => setViewed(each)}
                onEdit={() => setEdited(each)}
                onRotate={() => rotate.mutateAsync(each)}
                onRevoke={() => revoke.mutateAsync(each)}
              />
            </li>
          ))}
        </ul>
      )}
      <Button variant="default" leftSection={<Plus size={15} aria-hidden />} onClick={() => setEdited("new")}>
        {labels.create}
      </Button>
      {viewed && <KeyUsageDialog known={viewed} onClose={() => setViewed(null)} />}
      {edited && (
        <PersonalKeyDialog
          known={edited === "new" ? undefined : edited}
          rules={rules}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

interface PersonalKeyDialogProps {
  /** The key to edit; a new one without it. */
  known?: PersonalKey;
  rules: KeyRules[];
  onClose: () => void;
}

/** Create a personal key, or change one. */
function PersonalKeyDialog({ known, rules, onClose }: PersonalKeyDialogProps) {
  const save = useChange({
    change: async ({ name, ...limits }: KeyValues) => {
      if (!known) showKey(await createKey({ name, ...limitsOfNew(limits, rules) }));
      else await updateKey(known, { ...(name !== known.name && { name }), ...changedLimits(known, limits) });
    },
    invalidates: [ownKeys.queryKey],
    done: onClose,
    handlesErrors: true,
  });
  return (
    <KeyDialog
      title={known ? labels.editTitle(known.name) : labels.create}
      known={known}
      rules={rules}
      action={known ? texts.app.save : labels.create}
      change={save}
      onDone={save.mutate}
      onClose={onClose}
    />
  );
}
