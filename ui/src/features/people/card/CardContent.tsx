import { Badge } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Mail, Search, Settings, UserCog } from "lucide-react";
import { api, type Schemas } from "@/api/client";
import { messageOf, unwrap } from "@/api/errors";
import { ActorAvatar } from "@/model/people/ActorAvatar";
import { useActor } from "@/model/people/names";
import { useOwnOrganizations, useProfile } from "@/model/people/queries";
import { texts } from "@/texts";
import { profiles } from "@/texts/profiles";
import classes from "./ProfileCard.module.css";

type Actor = Schemas["KnownActor"];

interface Props {
  organizationId: string;
  actorId: string;
}

/** Read when the card opens, because no event reports a changed role or state. */
const actorOf = (organizationId: string, actorId: string) => ({
  queryKey: ["profile-card", organizationId, actorId],
  queryFn: async () => {
    const params = { path: { organization_id: organizationId }, query: { ids: actorId } };
    const { actors } = await unwrap(api.GET("/v1/organizations/{organization_id}/actors", { params }));
    return actors[0] ?? null;
  },
});

export function CardContent({ organizationId, actorId }: Props) {
  const known = useActor(organizationId, actorId);
  const { data: actor, error } = useQuery(actorOf(organizationId, actorId));
  const name = actor?.name ?? known?.name ?? (actor === null ? texts.people.unknown : "…");
  return (
    <>
      <div className={classes.head}>
        <ActorAvatar organizationId={organizationId} actorId={actorId} size={56} />
        <div className={classes.who}>
          <h2 dir="auto">{name}</h2>
          {actor && <States actor={actor} />}
        </div>
      </div>
      {error && (
        <p role="alert" className={classes.note}>
          {messageOf(error)}
        </p>
      )}
      {actor && <StateNote actor={actor} />}
      {actor?.email && (
        <a className={classes.mail} href={`mailto:${actor.email}`}>
          <Mail size={16} aria-hidden /> {actor.email}
        </a>
      )}
      <div className={classes.acts}>
        <Link
          to="/o/$organizationId/search"
          params={{ organizationId }}
          search={{ q: `from:${actorId}` }}
          data-autofocus
        >
          <Search size={16} aria-hidden />
          {known?.actor_type === "integration" ? profiles.messagesOfIntegration : profiles.messages}
        </Link>
        {actor && <OtherActs organizationId={organizationId} actor={actor} />}
      </div>
    </>
  );
}

function States({ actor }: { actor: Actor }) {
  const isOwn = useProfile().person_id === actor.actor_id;
  const states = [
    isOwn && profiles.you,
    actor.actor_type === "integration" && profiles.integration,
    actor.active && actor.role && profiles.roles[actor.role],
    actor.imported && profiles.imported,
    !actor.active && !actor.imported && profiles.inactive,
  ];
  return (
    <div className={classes.badges}>
      {states.map(
        (each) =>
          each && (
            <Badge key={each} variant="light" color="gray" tt="none">
              {each}
            </Badge>
          ),
      )}
    </div>
  );
}

function StateNote({ actor }: { actor: Actor }) {
  const note = actor.imported ? profiles.importedHint : actor.active ? null : profiles.inactiveHint;
  return note && <p className={classes.note}>{note}</p>;
}

/** Links to the reader's own settings and, for admins, to the person in the administration. */
function OtherActs({ organizationId, actor }: { organizationId: string; actor: Actor }) {
  const isOwn = useProfile().person_id === actor.actor_id;
  const own = useOwnOrganizations().find((each) => each.organization_id === organizationId);
  const isAdmin = own?.role === "admin" || own?.role === "super_admin";
  const isApp = actor.actor_type === "integration";
  const params = { organizationId };
  return (
    <>
      {isOwn && (
        <Link to="/o/$organizationId/settings" params={params}>
          <Settings size={16} aria-hidden /> {profiles.settings}
        </Link>
      )}
      {isAdmin && isApp && actor.active && (
        <Link to="/o/$organizationId/administration/integrations" params={params}>
          <UserCog size={16} aria-hidden /> {profiles.manage}
        </Link>
      )}
      {isAdmin && !isApp && actor.role && (
        <Link
          to="/o/$organizationId/administration/people"
          params={params}
          search={{ find: actor.email ?? actor.name }}
        >
          <UserCog size={16} aria-hidden /> {profiles.manage}
        </Link>
      )}
    </>
  );
}
