import { Button, Group } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { queryClient } from "@/api/queryClient";
import { messageOf } from "@/api/errors";
import { ConfirmButton } from "@/kit/ConfirmButton";
import { isExpired } from "@/kit/expiry";
import { Loading } from "@/kit/Loading";
import { NewKeyAlert } from "@/kit/NewKeyAlert";
import { showNotice } from "@/kit/notices";
import classes from "@/kit/SettingsList.module.css";
import { formatRelative, shortDate } from "@/kit/times";
import { texts } from "@/texts";
import { NewKeyDialog } from "./NewKeyDialog";
import { ownKeys, revokeKey, rotateKey } from "./queries";

const labels = texts.apiKeys;
const invalidateKeys = () => queryClient.invalidateQueries({ queryKey: ownKeys.queryKey });
const showError = (error: unknown) => showNotice(messageOf(error), { isError: true });

/** The person's own API keys. */
export function PersonalKeys() {
  const { data: keys } = useQuery(ownKeys);
  const [isCreating, setCreating] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const rotate = useMutation({
    mutationFn: rotateKey,
    onSuccess: async ({ key }) => {
      setShown(key);
      await invalidateKeys();
    },
    onError: showError,
  });
  const revoke = useMutation({ mutationFn: revokeKey, onSuccess: invalidateKeys, onError: showError });
  if (!keys) return <Loading />;
  return (
    <>
      {shown && <NewKeyAlert value={shown} onDone={() => setShown(null)} />}
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
                </span>
              </div>
              <Group gap={6} wrap="nowrap">
                <ConfirmButton
                  question={isExpired(each, new Date()) ? labels.renewMore : labels.rotateMore}
                  action={labels.rotate}
                  onConfirm={() => rotate.mutate(each)}
                />
                <ConfirmButton
                  question={labels.revokeMore}
                  action={labels.revoke}
                  isDangerous
                  onConfirm={() => revoke.mutate(each)}
                />
              </Group>
            </li>
          ))}
        </ul>
      )}
      <Button
        variant="default"
        leftSection={<Plus size={15} aria-hidden />}
        onClick={() => setCreating(true)}
      >
        {labels.create}
      </Button>
      {isCreating && (
        <NewKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setShown(key);
            void invalidateKeys();
          }}
        />
      )}
    </>
  );
}
