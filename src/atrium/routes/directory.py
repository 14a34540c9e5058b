"""The groups and people that a directory provisions."""

from atrium import permissions as may
from atrium.kit.http.route import DELETE, GET, PATCH, POST, PUT, Route
from atrium.routes.paths import ORGANIZATION, SPACE
from atrium.scim import api as scim
from atrium.scim import discovery
from atrium.scim.space_groups import api as space_groups
from atrium.scim.space_groups.actions import GroupNotFound

SCIM = "/scim/v2"

ROUTES = (
    # groups of the directory
    Route(GET, ORGANIZATION + "/groups", space_groups.list_groups, may.LIST_GROUPS),
    Route(GET, SPACE + "/groups", space_groups.list_space_groups, may.READ_SPACE),
    Route(PUT, SPACE + "/groups/{group_id}", space_groups.put_space_group, may.MANAGE_SPACE_ACCESS,
          raises=[GroupNotFound]),
    Route(DELETE, SPACE + "/groups/{group_id}", space_groups.remove_space_group, may.MANAGE_SPACE_ACCESS, 204,
          raises=[GroupNotFound]),
    # the directory (SCIM), which describes itself at /Schemas
    Route(GET, SCIM + "/ServiceProviderConfig", discovery.read_configuration, may.PROVISION),
    Route(GET, SCIM + "/Schemas", discovery.list_schemas, may.PROVISION),
    Route(GET, SCIM + "/Schemas/{schema}", discovery.read_schema, may.PROVISION),
    Route(GET, SCIM + "/ResourceTypes", discovery.list_resource_types, may.PROVISION),
    Route(GET, SCIM + "/ResourceTypes/{resource_type}", discovery.read_resource_type, may.PROVISION),
    Route(GET, SCIM, scim.list_directory, may.PROVISION),
    Route(POST, SCIM + "/.search", scim.search_directory, may.PROVISION),
    Route(POST, SCIM + "/Bulk", scim.run_bulk, may.PROVISION),
    Route(GET, SCIM + "/Users", scim.list_users, may.PROVISION),
    Route(POST, SCIM + "/Users", scim.create_user, may.PROVISION, 201),
    Route(POST, SCIM + "/Users/.search", scim.search_users, may.PROVISION),
    Route(GET, SCIM + "/Users/{user}", scim.read_user, may.PROVISION),
    Route(PUT, SCIM + "/Users/{user}", scim.replace_user, may.PROVISION),
    Route(PATCH, SCIM + "/Users/{user}", scim.patch_user, may.PROVISION),
    Route(DELETE, SCIM + "/Users/{user}", scim.delete_user, may.PROVISION, 204),
    Route(GET, SCIM + "/Groups", scim.list_directory_groups, may.PROVISION),
    Route(POST, SCIM + "/Groups", scim.create_group, may.PROVISION, 201),
    Route(POST, SCIM + "/Groups/.search", scim.search_groups, may.PROVISION),
    Route(GET, SCIM + "/Groups/{group}", scim.read_group, may.PROVISION),
    Route(PUT, SCIM + "/Groups/{group}", scim.replace_group, may.PROVISION),
    Route(PATCH, SCIM + "/Groups/{group}", scim.patch_group, may.PROVISION, 204),
    Route(DELETE, SCIM + "/Groups/{group}", scim.delete_group, may.PROVISION, 204),
)  # fmt: skip
