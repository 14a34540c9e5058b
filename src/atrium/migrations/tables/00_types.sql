-- The types of the tables. Those with an order (roles) begin with the least.

create type organization_role as enum ('guest', 'member', 'reader', 'admin', 'super_admin');
create type space_role as enum ('reader', 'member', 'admin');
create type actor_kind as enum ('person', 'integration');
create type space_visibility as enum ('open', 'private');
create type personal_keys_rule as enum ('none', 'admins', 'allowed');
create type key_rules as (max_lifetime_days integer, personal_keys personal_keys_rule, require_networks boolean);
create type webhook_status as enum ('WEBHOOK_STATUS_ACTIVE', 'WEBHOOK_STATUS_INACTIVE', 'WEBHOOK_STATUS_PAUSED');
create type delivery_status as enum (
    'DELIVERY_STATUS_PENDING', 'DELIVERY_STATUS_RETRYING', 'DELIVERY_STATUS_SUCCEEDED', 'DELIVERY_STATUS_FAILED',
    'DELIVERY_STATUS_MISSED');
