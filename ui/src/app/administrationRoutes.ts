import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { auditFiltersOf } from "@/features/administration/audit/filters";
import { textParams } from "@/kit/data/searchParams";
import type { organization } from "./router";

/** The pages of an organization's administration, below one frame. */
export function administrationRoutes(parent: typeof organization) {
  const frame = createRoute({
    getParentRoute: () => parent,
    path: "/administration",
    component: lazyRouteComponent(
      () => import("@/features/administration/AdministrationFrame"),
      "AdministrationFrame",
    ),
  });
  const overview = createRoute({
    getParentRoute: () => frame,
    path: "/",
    component: lazyRouteComponent(
      () => import("@/features/administration/overview/OverviewPage"),
      "OverviewPage",
    ),
  });
  const people = createRoute({
    getParentRoute: () => frame,
    path: "/people",
    validateSearch: textParams("state", "role", "find"),
    component: lazyRouteComponent(() => import("@/features/administration/people/PeoplePage"), "PeoplePage"),
  });
  const spaces = createRoute({
    getParentRoute: () => frame,
    path: "/spaces",
    component: lazyRouteComponent(() => import("@/features/administration/spaces/SpacesPage"), "SpacesPage"),
  });
  const space = createRoute({
    getParentRoute: () => frame,
    path: "/spaces/$spaceId",
    component: lazyRouteComponent(() => import("@/features/administration/spaces/SpacePage"), "SpacePage"),
  });
  const integrations = createRoute({
    getParentRoute: () => frame,
    path: "/integrations",
    validateSearch: textParams("find", "state", "scope", "sort"),
    component: lazyRouteComponent(
      () => import("@/features/administration/integrations/IntegrationsPage"),
      "IntegrationsPage",
    ),
  });
  const memberKeys = createRoute({
    getParentRoute: () => frame,
    path: "/integrations/personal",
    validateSearch: textParams("find", "state", "scope", "person", "sort"),
    component: lazyRouteComponent(
      () => import("@/features/administration/keys/MemberKeysPage"),
      "MemberKeysPage",
    ),
  });
  const keyPolicy = createRoute({
    getParentRoute: () => frame,
    path: "/integrations/policy",
    component: lazyRouteComponent(
      () => import("@/features/administration/keys/KeyPolicyPage"),
      "KeyPolicyPage",
    ),
  });
  const integrationKey = createRoute({
    getParentRoute: () => frame,
    path: "/integrations/keys/$apiKeyId",
    component: lazyRouteComponent(() => import("@/features/administration/integrations/KeyPage"), "KeyPage"),
  });
  const webhooks = createRoute({
    getParentRoute: () => frame,
    path: "/webhooks",
    component: lazyRouteComponent(
      () => import("@/features/administration/webhooks/page/WebhooksPage"),
      "WebhooksPage",
    ),
  });
  const eventTypes = createRoute({
    getParentRoute: () => frame,
    path: "/webhooks/events",
    component: lazyRouteComponent(
      () => import("@/features/administration/webhooks/page/EventTypesPage"),
      "EventTypesPage",
    ),
  });
  const webhook = createRoute({
    getParentRoute: () => frame,
    path: "/webhooks/$webhookId",
    validateSearch: textParams("status", "event", "since", "until"),
    component: lazyRouteComponent(
      () => import("@/features/administration/webhooks/page/WebhookPage"),
      "WebhookPage",
    ),
  });
  const directory = createRoute({
    getParentRoute: () => frame,
    path: "/directory",
    component: lazyRouteComponent(
      () => import("@/features/administration/directory/DirectoryPage"),
      "DirectoryPage",
    ),
  });
  const imports = createRoute({
    getParentRoute: () => frame,
    path: "/imports",
    component: lazyRouteComponent(
      () => import("@/features/administration/imports/ImportsPage"),
      "ImportsPage",
    ),
  });
  const audit = createRoute({
    getParentRoute: () => frame,
    path: "/audit",
    validateSearch: auditFiltersOf,
    component: lazyRouteComponent(() => import("@/features/administration/audit/AuditPage"), "AuditPage"),
  });
  const mail = createRoute({
    getParentRoute: () => frame,
    path: "/mail",
    component: lazyRouteComponent(() => import("@/features/administration/mail/MailPage"), "MailPage"),
  });
  const settings = createRoute({
    getParentRoute: () => frame,
    path: "/settings",
    component: lazyRouteComponent(
      () => import("@/features/administration/organization/OrganizationPage"),
      "OrganizationPage",
    ),
  });
  return frame.addChildren([
    overview,
    people,
    spaces,
    space,
    integrations,
    memberKeys,
    keyPolicy,
    integrationKey,
    webhooks,
    eventTypes,
    webhook,
    directory,
    imports,
    audit,
    mail,
    settings,
  ]);
}
