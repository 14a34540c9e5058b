import { ActionIcon } from "@mantine/core";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Space } from "@/model/spaces/queries";
import { texts } from "@/texts";

const NewRoomDialog = lazy(() =>
  import("./NewRoomDialog").then((module) => ({ default: module.NewRoomDialog })),
);

export function NewRoomButton({ space }: { space: Space }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={texts.rooms.addTo(space.name)}
        onClick={() => setOpen(true)}
      >
        <Plus size={15} />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <NewRoomDialog space={space} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
