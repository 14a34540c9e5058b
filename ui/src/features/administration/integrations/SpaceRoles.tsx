import { TriangleAlert } from "lucide-react";
import { useSpaces } from "@/model/spaces/queries";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { hasNoAccess, type ApiKey } from "./queries";
import classes from "./IntegrationsPage.module.css";

const labels = administration;
const MAX = 4;

/** The spaces that an integration can access, with its role in each; the first few by name, or all; without any, a warning. */
export function SpaceRoles({ known, isComplete }: { known: ApiKey; isComplete?: boolean }) {
  const { data: spaces } = useSpaces(known.organization_id);
  if (hasNoAccess(known))
    return (
      <div className={classes.warning}>
        <TriangleAlert size={14} aria-hidden /> {labels.integrations.noAccess}
      </div>
    );
  if (known.spaces.length === 0) return <div>{labels.integrations.noSpaces}</div>;
  const named = known.spaces.slice(0, isComplete ? undefined : MAX).map(({ space_id, role }) => ({
    id: space_id,
    name: spaces?.find((each) => each.space_id === space_id)?.name ?? "…",
    role: labels.roles[role],
  }));
  const more = known.spaces.length - named.length;
  return (
    <div>
      {named.map(({ id, name, role }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <bdi>{name}</bdi> ({role})
        </span>
      ))}
      {more > 0 && ` ${texts.messages.andMore(more)}`}
    </div>
  );
}
