import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { allPages } from "@/api/pages";
import { ApiError, unwrap } from "@/api/errors";
import type { Outcome } from "@/kit/data/runForEach";
import { cacheActors } from "@/model/people/names";
import { administration } from "@/texts/administration";
import { linkIn } from "../mail/link";

export type Member = Schemas["Member"];
export type Invitation = Schemas["Invitation"];
export type InvitationAnswer = Schemas["InvitationAnswer"];

/** An address with the token of its invitation, or with the reason why there is none. */
export interface Invited {
  email: string;
  token?: string;
  reason?: string;
}

const at = (organizationId: string) => ({ organization_id: organizationId });

export const membersOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "members"],
    queryFn: async () => {
      const members = await allPages(
        (cursor) =>
          unwrap(
            api.GET("/v1/organizations/{organization_id}/members", {
              params: { path: at(organizationId), query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.members,
      );
      cacheActors(
        members.map((each) => ({ actor_id: each.person_id, actor_type: "person", name: each.name })),
      );
      return members;
    },
  });

export const invitationsOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "invitations"],
    queryFn: () =>
      allPages(
        (cursor) =>
          unwrap(
            api.GET("/v1/organizations/{organization_id}/invitations", {
              params: { path: at(organizationId), query: { limit: 200, cursor } },
            }),
          ),
        (page) => page.invitations,
      ),
  });

export const invite = (organizationId: string, content: Schemas["InvitationCreate"]) =>
  unwrap(
    api.POST("/v1/organizations/{organization_id}/invitations", {
      params: { path: at(organizationId) },
      body: { content },
    }),
  );

/** Send an invitation again, with a new link. The link before it stops working. */
export const renewInvitation = ({
  organization_id,
  email,
  role,
  spaces,
}: Invitation): Promise<InvitationAnswer> => invite(organization_id, { email, role, spaces });

/** Invite a member who was imported and has not signed in; they keep their role. */
export async function inviteMember(
  organizationId: string,
  { email, role }: Member,
): Promise<InvitationAnswer> {
  if (!email) throw new ApiError(0, "no_address", administration.people.noAddress);
  return invite(organizationId, { email, role });
}

/** Return whether an invitation to a member's address is pending. */
export const isInvited = ({ email }: Member, invitations: readonly Invitation[]): boolean =>
  email !== null && invitations.some((each) => each.email.toLowerCase() === email.toLowerCase());

export const invitedOf = (outcomes: readonly Outcome<Member, InvitationAnswer>[]): Invited[] =>
  outcomes.map(({ item, result, reason }) => ({
    email: item.email ?? item.name,
    token: result?.token,
    reason,
  }));

export const invitationLink = ({ token }: Pick<Invited, "token">): string =>
  `${location.origin}/sign-in#invitation=${token}`;

export const revokeInvitation = ({ organization_id, invitation_id }: Invitation) =>
  unwrap(
    api.DELETE("/v1/organizations/{organization_id}/invitations/{invitation_id}", {
      params: { path: { organization_id, invitation_id } },
    }),
  );

/**
 * Create a sign-in link for a member, as their request on the sign-in page does, and return it; null if the caller may
 * not see email to the address. The audit log records who reads it.
 */
export async function createSignInLink(organizationId: string, email: string): Promise<string | null> {
  await unwrap(api.POST("/v1/sign-in-links", { body: { content: { email } } }));
  const { mails } = await unwrap(
    api.GET("/v1/organizations/{organization_id}/mails", {
      params: { path: at(organizationId), query: { limit: 50 } },
    }),
  );
  const mail = mails.find((each) => each.to.toLowerCase() === email.toLowerCase());
  if (!mail) return null;
  const { text } = await unwrap(
    api.GET("/v1/organizations/{organization_id}/mails/{mail_id}", {
      params: { path: { ...at(organizationId), mail_id: mail.mail_id } },
    }),
  );
  const link = linkIn(text);
  return link?.includes("#token=") ? link : null;
}

export const updateMember = (
  organizationId: string,
  member: Member,
  content: Partial<Pick<Member, "role" | "active">>,
) =>
  unwrap(
    api.PATCH("/v1/organizations/{organization_id}/members/{person_id}", {
      params: { path: { ...at(organizationId), person_id: member.person_id } },
      body: { content },
    }),
  );

export const removeMember = (organizationId: string, member: Member) =>
  unwrap(
    api.DELETE("/v1/organizations/{organization_id}/members/{person_id}", {
      params: { path: { ...at(organizationId), person_id: member.person_id } },
    }),
  );
