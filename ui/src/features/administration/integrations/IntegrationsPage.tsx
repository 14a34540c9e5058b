import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Blocks, Plus } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "@tanstack/react-router";
import { EmptyState } from "@/kit/layout/EmptyState";
import { QueryResult } from "@/kit/layout/QueryResult";
import { useSpacesWithRooms } from "@/model/rooms/queries";
import { administration } from "@/texts/administration";
import { incoming } from "@/texts/incoming";
import { AdministrationPage } from "../AdministrationPage";
import { KeyTabs } from "../keys/KeyTabs";
import { Section } from "../Section";
import { hasRole, useOrganization } from "../useOrganization";
import { IntegrationDialog } from "./IntegrationDialog";
import { IntegrationList } from "./IntegrationList";
import classes from "./IntegrationsPage.module.css";
import { keysOf } from "./queries";

const labels = administration.integrations;

/** The organization's integrations and their keys. */
export function IntegrationsPage() {
  const { organizationId, role } = useOrganization();
  const keys = useQuery({ ...keysOf(organizationId), enabled: hasRole(role, "admin") });
  const [isCreating, setCreating] = useState(false);
  const action = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {labels.create}
    </Button>
  );
  return (
    <AdministrationPage page="integrations" action={action}>
      <KeyTabs />
      <QueryResult of={keys}>
        {(all) => (
          <>
            <IntegrationList label={administration.pages.integrations.title} keys={all} isFiltered />
            {all.length === 0 && (
              <EmptyState icon={<Blocks size={22} aria-hidden />} title={labels.none}>
                {labels.noneHint}
              </EmptyState>
            )}
          </>
        )}
      </QueryResult>
      <IncomingRooms />
      {isCreating && <IntegrationDialog onClose={() => setCreating(false)} />}
    </AdministrationPage>
  );
}

/** A menu that leads to the incoming webhooks of a room. */
function IncomingRooms() {
  const { organizationId } = useOrganization();
  const navigate = useNavigate();
  const { spaces } = useSpacesWithRooms(organizationId);
  const [roomId, setRoomId] = useState("");
  const open = () =>
    void navigate({
      to: "/o/$organizationId/rooms/$roomId",
      params: { organizationId, roomId },
      search: { view: "incoming" },
    });
  return (
    <Section title={incoming.title} hint={incoming.part}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <NativeSelect
          aria-label={incoming.room}
          value={roomId}
          onChange={(event) => setRoomId(event.currentTarget.value)}
        >
          <option value="">{incoming.choose}</option>
          {spaces.map(({ space, rooms }) => (
            <optgroup key={space.space_id} label={space.name}>
              {rooms
                .filter((each) => each.archived_at === null)
                .map((each) => (
                  <option key={each.room_id} value={each.room_id}>
                    {each.name}
                  </option>
                ))}
            </optgroup>
          ))}
        </NativeSelect>
        <Button type="submit" variant="default" disabled={!roomId}>
          {incoming.open}
        </Button>
      </form>
    </Section>
  );
}
