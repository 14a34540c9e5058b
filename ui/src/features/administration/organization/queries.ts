import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas } from "@/api/client";
import { unwrap } from "@/api/errors";

export type Organization = Schemas["Organization"];

export const organizationOf = (organizationId: string) =>
  queryOptions({
    queryKey: ["administration", organizationId, "organization"],
    queryFn: async () => {
      const params = { path: { organization_id: organizationId } };
      return (await unwrap(api.GET("/v1/organizations/{organization_id}", { params }))).organization;
    },
  });

export const renameOrganization = ({ organization_id }: Organization, name: string) =>
  unwrap(
    api.PATCH("/v1/organizations/{organization_id}", {
      params: { path: { organization_id } },
      body: { content: { name } },
    }),
  );
