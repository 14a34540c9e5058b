"""The directory: SCIM 2.0 under `/scim/v2`, its groups, and the roles of groups in spaces."""
