import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { administration } from "@/texts/administration";
import { InvitationResults } from "../people/InvitationResults";
import { InviteDialog } from "../people/InviteDialog";
import type { Invited } from "../people/queries";
import { hasRole, useOrganization } from "../useOrganization";
import type { Step } from "./steps";

const labels = administration.firstSteps;
const PAGES = {
  rooms: "/o/$organizationId",
  import: "/o/$organizationId/administration/imports",
  webhook: "/o/$organizationId/administration/webhooks",
  notifications: "/o/$organizationId/settings",
} as const;

const GUIDE = "/docs/guides/slack";

/** What takes one to a step. */
export function StepAction({ step, onNewRoom }: { step: Step; onNewRoom?: () => void }) {
  const { organizationId, role } = useOrganization();
  if (step === "invite") return <InviteStep />;
  if (step === "rooms" && onNewRoom)
    return (
      <Button size="compact-sm" variant="default" onClick={onNewRoom}>
        {labels.steps.rooms.action}
      </Button>
    );
  if (step === "import" && !hasRole(role, "super_admin"))
    return (
      <Button size="compact-sm" variant="default" component="a" href={GUIDE} target="_blank" rel="noreferrer">
        {labels.steps.import.read}
      </Button>
    );
  return (
    <Button
      size="compact-sm"
      variant="default"
      renderRoot={(props) => <Link to={PAGES[step]} params={{ organizationId }} {...props} />}
    >
      {labels.steps[step].action}
    </Button>
  );
}

function InviteStep() {
  const [isInviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<Invited[]>([]);
  return (
    <>
      <Button size="compact-sm" onClick={() => setInviting(true)}>
        {labels.steps.invite.action}
      </Button>
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onInvited={(outcomes) => {
            setInviting(false);
            setInvited(outcomes);
          }}
        />
      )}
      {invited.length > 0 && <InvitationResults invited={invited} onClose={() => setInvited([])} />}
    </>
  );
}
