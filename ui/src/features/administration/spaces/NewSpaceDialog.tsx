import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { spacesOf } from "@/model/spaces/queries";
import { administration } from "@/texts/administration";
import { useOrganization } from "../useOrganization";
import { createSpace } from "./queries";
import { SpaceFields, type SpaceFormValues } from "./SpaceFields";

const labels = administration.spaces;

export function NewSpaceDialog({ onClose }: { onClose: () => void }) {
  const { organizationId } = useOrganization();
  const [wanted, setWanted] = useState<SpaceFormValues>({ name: "", description: "", visibility: "open" });
  const create = useChange({
    change: () => createSpace(organizationId, { ...wanted, name: wanted.name.trim() }),
    invalidates: [spacesOf(organizationId).queryKey],
    done: onClose,
    handlesErrors: true,
  });
  return (
    <FormDialog
      title={labels.create}
      action={labels.create}
      isIncomplete={!wanted.name.trim()}
      change={create}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <SpaceFields wanted={wanted} onChange={setWanted} />
    </FormDialog>
  );
}
