import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { spaceMembersKey, spacesKey } from "@/model/queryKeys";
import type { Space } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { updateSpace } from "./queries";
import { SpaceFields, type SpaceFormValues } from "./SpaceFields";

const wantedOf = ({ name, description, visibility }: Space): SpaceFormValues => ({
  name,
  description,
  visibility,
});

export function SpaceForm({ space }: { space: Space }) {
  const [wanted, setWanted] = useState(wantedOf(space));
  const known = wantedOf(space);
  const isChanged = (Object.keys(known) as (keyof SpaceFormValues)[]).some(
    (name) => known[name] !== wanted[name],
  );
  const save = useChange({
    change: (content: SpaceFormValues) => updateSpace(space, content),
    invalidates: [spacesKey(), spaceMembersKey(space.space_id)],
    done: texts.app.saved,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ ...wanted, name: wanted.name.trim() });
      }}
    >
      <Stack maw={560}>
        <SpaceFields wanted={wanted} onChange={setWanted} />
        <div>
          <Button type="submit" loading={save.isPending} disabled={!isChanged || !wanted.name.trim()}>
            {texts.app.save}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
