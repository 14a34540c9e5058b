import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import backClasses from "@/kit/layout/BackLink.module.css";
import { QueryResult } from "@/kit/layout/QueryResult";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { Section } from "../Section";
import { useOrganization } from "../useOrganization";
import { DeleteSpaceButton } from "./DeleteSpaceButton";
import { spaceOf } from "./queries";
import { SpaceForm } from "./SpaceForm";
import { SpaceGroups } from "./SpaceGroups";
import { SpaceMembers } from "./SpaceMembers";

const labels = administration.spaces;

/** The page of a space: details, members and groups. */
export function SpacePage() {
  const { organizationId } = useOrganization();
  const { spaceId = "" } = useParams({ strict: false });
  const space = useQuery(spaceOf(spaceId));
  const back = (
    <Link
      to="/o/$organizationId/administration/spaces"
      params={{ organizationId }}
      className={backClasses.back}
    >
      <ChevronLeft size={15} aria-hidden /> {labels.all}
    </Link>
  );
  return (
    <AdministrationPage title={space.data?.name ?? "…"} more={labels.oneMore} needs="admin" back={back}>
      <QueryResult of={space}>
        {(known) => (
          <>
            <SpaceForm key={known.space_id} space={known} />
            <SpaceMembers space={known} />
            <SpaceGroups space={known} />
            <Section title={labels.delete} more={labels.deleteMore}>
              <DeleteSpaceButton space={known} />
            </Section>
          </>
        )}
      </QueryResult>
    </AdministrationPage>
  );
}
