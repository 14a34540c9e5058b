import { Badge, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Layers, Lock, Plus } from "lucide-react";
import { useState } from "react";
import { useChange } from "@/kit/data/useChange";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { Row, Rows } from "@/kit/layout/Rows";
import { FormDialog } from "@/kit/overlay/FormDialog";
import { shortDate } from "@/kit/text/times";
import { useSpaces, spacesOf } from "@/model/spaces/queries";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { useOrganization } from "../useOrganization";
import { createSpace } from "./queries";
import { SpaceFields, type SpaceFormValues } from "./SpaceFields";

const labels = administration.spaces;

/** The spaces of an organization; each has a page of its own. */
export function SpacesPage() {
  const { organizationId } = useOrganization();
  const spaces = useSpaces(organizationId);
  const [isCreating, setCreating] = useState(false);
  const action = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {labels.create}
    </Button>
  );
  return (
    <AdministrationPage page="spaces" action={action}>
      <QueryResult of={spaces}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<Layers size={22} aria-hidden />} title={labels.none} />
          ) : (
            <Rows label={administration.pages.spaces.title}>
              {all.map((space) => (
                <Row
                  key={space.space_id}
                  title={
                    <Link
                      to="/o/$organizationId/administration/spaces/$spaceId"
                      params={{ organizationId, spaceId: space.space_id }}
                    >
                      <bdi>{space.name}</bdi>
                    </Link>
                  }
                  mark={
                    space.visibility === "private" && (
                      <Badge variant="light" color="gray" leftSection={<Lock size={11} aria-hidden />}>
                        {labels.visibilities.private.name}
                      </Badge>
                    )
                  }
                  details={
                    <>
                      {space.description && <div>{space.description}</div>}
                      {labels.made(shortDate(space.created_at))}
                    </>
                  }
                >
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={labels.manageOne(space.name)}
                    renderRoot={(props) => (
                      <Link
                        to="/o/$organizationId/administration/spaces/$spaceId"
                        params={{ organizationId, spaceId: space.space_id }}
                        {...props}
                      />
                    )}
                  >
                    {labels.manage}
                  </Button>
                </Row>
              ))}
            </Rows>
          )
        }
      </QueryResult>
      {isCreating && <NewSpaceDialog onClose={() => setCreating(false)} />}
    </AdministrationPage>
  );
}

function NewSpaceDialog({ onClose }: { onClose: () => void }) {
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
