import { Alert, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { Dialog } from "@/kit/overlay/Dialog";
import { useChange } from "@/kit/data/useChange";
import { spacesOf } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { useOrganization } from "../useOrganization";
import { createSpace } from "./queries";
import { SpaceFields, type SpaceFormValues } from "./SpaceFields";

const labels = administration.spaces;

export function NewSpaceDialog({ onClose }: { onClose: () => void }) {
  const { organizationId } = useOrganization();
  const [wanted, setWanted] = useState<SpaceFormValues>({ name: "", description: "", visibility: "open" });
  const create = useChange({
    change: (content: SpaceFormValues) => createSpace(organizationId, content),
    invalidates: [spacesOf(organizationId).queryKey],
    done: onClose,
    handlesErrors: true,
  });
  return (
    <Dialog onClose={onClose} title={labels.create} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ ...wanted, name: wanted.name.trim() });
        }}
      >
        <Stack>
          {create.isError && <Alert color="red">{messageOf(create.error)}</Alert>}
          <SpaceFields wanted={wanted} onChange={setWanted} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.app.cancel}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!wanted.name.trim()}>
              {labels.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
