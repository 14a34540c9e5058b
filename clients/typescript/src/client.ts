import { Connection } from "./connection.js";
import { Room } from "./room.js";
import type { ListenOptions } from "./stream.js";
import type { Actor, LiveEvent, Organization, Profile, RoomInfo, SearchResult, Space } from "./types.js";
import { Webhooks } from "./webhooks.js";

export interface EventOptions extends ListenOptions {
  organizationId?: string;
  roomId?: string;
}

/**
 * A client for an Atrium server, with the permissions of the key.
 *
 * `url` is the server's URL, and `key` an organization key or a personal key. Data has the names of the API, in
 * snake_case; all times that you pass are in seconds.
 */
export class Atrium extends Connection {
  /** Return the room with that id, without a request. */
  room(roomId: string): Room {
    return new Room(this, roomId);
  }

  /** Return the webhooks of an organization, without a request. */
  webhooks(organizationId: string): Webhooks {
    return new Webhooks(this, organizationId);
  }

  /** Return the person who owns the personal key. */
  async profile(): Promise<Profile> {
    return await this.request("GET", "/v1/me/profile");
  }

  /** Yield the organizations of the person who owns the personal key. */
  organizations(): AsyncGenerator<Organization, void, undefined> {
    return this.iterate("/v1/me/organizations", "organizations");
  }

  /** Yield the spaces that the caller has access to. */
  spaces(organizationId: string): AsyncGenerator<Space, void, undefined> {
    const path = { organization_id: organizationId };
    return this.iterate("/v1/organizations/{organization_id}/spaces", "spaces", { path });
  }

  /** Yield the rooms of a space. */
  rooms(spaceId: string): AsyncGenerator<RoomInfo, void, undefined> {
    return this.iterate("/v2/spaces/{space_id}/rooms", "rooms", { path: { space_id: spaceId } });
  }

  /** Return people and integrations by id, including those who have left. At most 100 ids. */
  async actors(organizationId: string, ids: readonly string[]): Promise<Actor[]> {
    const options = { path: { organization_id: organizationId }, query: { ids: ids.join(",") } };
    return (await this.request("GET", "/v1/organizations/{organization_id}/actors", options)).actors;
  }

  /** Yield search results, best first. It fetches pages as needed: stop iterating when you have enough. */
  search(organizationId: string, query: string): AsyncGenerator<SearchResult, void, undefined> {
    const options = { path: { organization_id: organizationId }, query: { q: query, limit: 50 } };
    return this.iterate("/v2/organizations/{organization_id}/search", "results", options);
  }

  /**
   * Yield live events that the caller has access to, until the `signal` is aborted.
   *
   * To resume within a day, pass the id of the last event that you processed as `lastEventId`. The client reconnects
   * when a connection breaks and resumes where it stopped. Each connection starts with the event `hello`. After the
   * event `reset`, events may be missing: reload what you display. Throws APIError, Unreachable.
   */
  events(options: EventOptions = {}): AsyncGenerator<LiveEvent, void, undefined> {
    return this.listen({ organization_id: options.organizationId, room_id: options.roomId }, options);
  }
}
