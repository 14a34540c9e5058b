import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { Section } from "../Section";
import { DirectoryActivity } from "./DirectoryActivity";
import { DirectoryGroups } from "./DirectoryGroups";
import { DirectoryKeys } from "./DirectoryKeys";
import { ScimAddress } from "./ScimAddress";

const labels = administration.directory;

/** Directory provisioning: URL, keys, groups and recent changes. */
export function DirectoryPage() {
  return (
    <AdministrationPage {...administration.pages.directory} needs="admin">
      <Section title={labels.address} more={labels.addressMore}>
        <ScimAddress />
      </Section>
      <DirectoryKeys />
      <Section title={labels.groups} more={labels.groupsMore}>
        <DirectoryGroups />
      </Section>
      <Section title={labels.activity} more={labels.activityMore}>
        <DirectoryActivity />
      </Section>
    </AdministrationPage>
  );
}
