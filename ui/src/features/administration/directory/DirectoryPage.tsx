import { Button } from "@mantine/core";
import { Copy } from "lucide-react";
import { copy } from "@/kit/text/clipboard";
import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { Section } from "../Section";
import { DirectoryActivity } from "./DirectoryActivity";
import { DirectoryGroups } from "./DirectoryGroups";
import { DirectoryKeys } from "./DirectoryKeys";
import classes from "./ScimAddress.module.css";

const labels = administration.directory;

/** Directory provisioning: URL, keys, groups and recent changes. */
export function DirectoryPage() {
  return (
    <AdministrationPage page="directory">
      <Section title={labels.address} hint={labels.addressHint}>
        <ScimAddress />
      </Section>
      <DirectoryKeys />
      <Section title={labels.groups} hint={labels.groupsHint}>
        <DirectoryGroups />
      </Section>
      <Section title={labels.activity} hint={labels.activityHint}>
        <DirectoryActivity />
      </Section>
    </AdministrationPage>
  );
}

/** The SCIM base URL, to copy into the identity provider. */
function ScimAddress() {
  const address = `${location.origin}/scim/v2`;
  return (
    <div className={classes.line}>
      <code>{address}</code>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Copy size={14} aria-hidden />}
        onClick={() => void copy(address, labels.addressCopied)}
      >
        {labels.copyAddress}
      </Button>
    </div>
  );
}
