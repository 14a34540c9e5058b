-- Return a space as the API and its events show it, without the role of a caller.
create or replace function space_json(space spaces) returns jsonb
language sql stable parallel safe as $$
    select jsonb_build_object(
        'space_id', space.space_id, 'organization_id', space.organization_id, 'name', space.name,
        'description', space.description, 'visibility', space.visibility, 'created_by', space.created_by,
        'created_at', rfc3339(space.created_at))
$$;
