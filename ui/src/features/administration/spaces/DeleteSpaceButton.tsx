import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog } from "@/kit/overlay/Dialog";
import { useChange } from "@/kit/data/useChange";
import type { Space } from "@/model/spaces/queries";
import { spacesKey } from "@/model/queryKeys";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { deleteSpace } from "./queries";

const labels = administration.spaces;

/** Deletes a space after its name is typed, because its rooms cannot be restored. */
export function DeleteSpaceButton({ space }: { space: Space }) {
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const [typed, setTyped] = useState("");
  const remove = useChange({
    change: deleteSpace,
    invalidates: [spacesKey()],
    done: () => {
      const params = { organizationId: space.organization_id };
      void navigate({ to: "/o/$organizationId/administration/spaces", params });
    },
  });
  return (
    <>
      <Button variant="outline" color="red.8" onClick={() => setConfirming(true)}>
        {labels.deleteOne(space.name)}
      </Button>
      {isConfirming && (
        <Dialog onClose={() => setConfirming(false)} title={labels.deleteOne(space.name)} centered>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              remove.mutate(space);
            }}
          >
            <Stack>
              <Text size="sm">{labels.deleteMore}</Text>
              <TextInput
                label={labels.typeName(space.name)}
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                data-autofocus
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={() => setConfirming(false)}>
                  {texts.app.cancel}
                </Button>
                <Button
                  type="submit"
                  color="red.8"
                  loading={remove.isPending}
                  disabled={typed !== space.name}
                >
                  {labels.delete}
                </Button>
              </Group>
            </Stack>
          </form>
        </Dialog>
      )}
    </>
  );
}
