import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { queryClient } from "@/api/queryClient";
import { unwrap, messageOf } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { showNotice } from "@/kit/overlay/notices";
import { cacheActors } from "@/model/people/names";
import { profile, useProfile } from "@/model/people/queries";
import { texts } from "@/texts";

export function ProfileForm() {
  const known = useProfile();
  const [name, setName] = useState(known.name);
  const save = useChange({
    change: () => unwrap(api.PATCH("/v1/me/profile", { body: { content: { name: name.trim() } } })),
    done: (changed) => {
      queryClient.setQueryData(profile.queryKey, changed);
      cacheActors([{ actor_id: changed.person_id, actor_type: "person", name: changed.name }]);
      showNotice(texts.app.saved);
    },
    handlesErrors: true,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Group align="flex-end" gap="sm" wrap="wrap">
        <TextInput
          style={{ flex: "1 1 240px" }}
          label={texts.sessions.name}
          description={known.email}
          maxLength={200}
          required
          withAsterisk={false}
          autoComplete="name"
          value={name}
          error={save.isError && messageOf(save.error)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={save.isPending} disabled={!name.trim() || name.trim() === known.name}>
          {texts.app.save}
        </Button>
      </Group>
    </form>
  );
}
