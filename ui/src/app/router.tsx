import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { queryClient } from "@/api/queryClient";
import { ApiError } from "@/api/errors";
import { ErrorPage, NotFoundPage } from "@/kit/layout/ErrorPage";
import { Loading } from "@/kit/layout/Loading";
import { textParams } from "@/kit/data/searchParams";
import { readStorage } from "@/kit/data/storage";
import { ownOrganizations, profile } from "@/model/people/queries";
import { administrationRoutes } from "./administrationRoutes";
import { RoomPage } from "./RoomPage";
import { Shell } from "./Shell";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: textParams("return_to", "problem", "token", "join"),
  component: lazyRouteComponent(() => import("@/features/sessions/SignInPage"), "SignInPage"),
});

/** Routes that require a session; without one, redirect to the sign-in page and back. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ location }) => {
    try {
      await Promise.all([
        queryClient.ensureQueryData(profile),
        queryClient.ensureQueryData(ownOrganizations),
      ]);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const wanted = location.href === "/" ? {} : { return_to: location.href };
      throw redirect({ to: "/sign-in", search: wanted });
    }
  },
});

/** Redirect to a page of the organization that was open last, if there is one. */
function redirectTo(to: "/o/$organizationId" | "/o/$organizationId/settings"): void {
  const all = queryClient.getQueryData(ownOrganizations.queryKey) ?? [];
  const last = all.find((each) => each.organization_id === readStorage("organization")) ?? all[0];
  if (last) throw redirect({ to, params: { organizationId: last.organization_id } });
}

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => redirectTo("/o/$organizationId"),
  component: lazyRouteComponent(() => import("./NoOrganizationPage"), "NoOrganizationPage"),
});

/** The address of the settings in emails. */
const ownSettings = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings",
  beforeLoad: () => redirectTo("/o/$organizationId/settings"),
  component: lazyRouteComponent(() => import("./NoOrganizationPage"), "NoOrganizationPage"),
});

export const organization = createRoute({
  getParentRoute: () => signedIn,
  path: "/o/$organizationId",
  component: Shell,
});

const start = createRoute({
  getParentRoute: () => organization,
  path: "/",
  component: lazyRouteComponent(() => import("@/features/rooms/StartPage"), "StartPage"),
});

const room = createRoute({
  getParentRoute: () => organization,
  path: "/rooms/$roomId",
  validateSearch: textParams("message", "thread", "view", "recording", "at", "date", "panel"),
  component: RoomPage,
});

const search = createRoute({
  getParentRoute: () => organization,
  path: "/search",
  validateSearch: textParams("q", "order"),
  component: lazyRouteComponent(() => import("@/features/search/SearchPage"), "SearchPage"),
});

const threads = createRoute({
  getParentRoute: () => organization,
  path: "/threads",
  validateSearch: textParams("room", "thread"),
  component: lazyRouteComponent(() => import("./ThreadsPage"), "ThreadsPage"),
});

const mentions = createRoute({
  getParentRoute: () => organization,
  path: "/mentions",
  component: lazyRouteComponent(() => import("@/features/unread/MentionsPage"), "MentionsPage"),
});

const settings = createRoute({
  getParentRoute: () => organization,
  path: "/settings",
  component: lazyRouteComponent(() => import("./SettingsPage"), "SettingsPage"),
});

const routeTree = root.addChildren([
  signIn,
  signedIn.addChildren([
    home,
    ownSettings,
    organization.addChildren([
      start,
      room,
      search,
      threads,
      mentions,
      settings,
      administrationRoutes(organization),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPendingComponent: Loading,
  defaultErrorComponent: ErrorPage,
  // Search parameters are plain strings, never JSON.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (given) => {
    const present = Object.entries(given).filter(([, value]) => value !== undefined && value !== "");
    const text = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
    return text ? `?${text}` : "";
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
