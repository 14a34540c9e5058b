import { Button, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { FormDialog } from "@/kit/overlay/FormDialog";
import type { Space } from "@/model/spaces/queries";
import { spacesKey } from "@/model/queryKeys";
import { administration } from "@/texts/administration";
import { deleteSpace } from "./queries";

const labels = administration.spaces;

/** Deletes a space after its name is typed, because its rooms cannot be restored. */
export function DeleteSpaceButton({ space }: { space: Space }) {
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const [typed, setTyped] = useState("");
  const remove = useChange({
    change: () => deleteSpace(space),
    invalidates: [spacesKey()],
    done: () => {
      const params = { organizationId: space.organization_id };
      void navigate({ to: "/o/$organizationId/administration/spaces", params });
    },
    handlesErrors: true,
  });
  return (
    <>
      <Button variant="outline" color="red.8" onClick={() => setConfirming(true)}>
        {labels.deleteOne(space.name)}
      </Button>
      {isConfirming && (
        <FormDialog
          title={labels.deleteOne(space.name)}
          more={labels.deleteMore}
          action={labels.delete}
          isDangerous
          isIncomplete={typed !== space.name}
          change={remove}
          onSubmit={remove.mutate}
          onClose={() => setConfirming(false)}
        >
          <TextInput
            label={labels.typeName(space.name)}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
        </FormDialog>
      )}
    </>
  );
}
