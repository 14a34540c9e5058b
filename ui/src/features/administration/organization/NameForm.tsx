import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { useChange } from "@/kit/data/useChange";
import { organizationsKey } from "@/model/queryKeys";
import { texts } from "@/texts";
import { administration } from "@/texts/administration";
import { organizationOf, renameOrganization, type Organization } from "./queries";

/** Renames the organization. */
export function NameForm({ organization }: { organization: Organization }) {
  const [name, setName] = useState(organization.name);
  const save = useChange({
    change: (wanted: string) => renameOrganization(organization, wanted),
    invalidates: [organizationOf(organization.organization_id).queryKey, organizationsKey()],
    done: texts.app.saved,
    handlesErrors: true,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(name.trim());
      }}
    >
      <Group align="flex-end" gap="sm" maw={560}>
        <TextInput
          style={{ flex: "1 1 220px" }}
          label={administration.organization.name}
          maxLength={200}
          required
          withAsterisk={false}
          value={name}
          error={save.isError && messageOf(save.error)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          loading={save.isPending}
          disabled={!name.trim() || name.trim() === organization.name}
        >
          {texts.app.save}
        </Button>
      </Group>
    </form>
  );
}
