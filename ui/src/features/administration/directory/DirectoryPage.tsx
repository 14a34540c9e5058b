import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { Part } from "../Part";
import { DirectoryActivity } from "./DirectoryActivity";
import { DirectoryGroups } from "./DirectoryGroups";
import { DirectoryKeys } from "./DirectoryKeys";
import { ScimAddress } from "./ScimAddress";

const labels = administration.directory;

/** Directory provisioning: URL, keys, groups and recent changes. */
export function DirectoryPage() {
  return (
    <AdministrationPage {...administration.pages.directory} needs="admin">
      <Part title={labels.address} more={labels.addressMore}>
        <ScimAddress />
      </Part>
      <DirectoryKeys />
      <Part title={labels.groups} more={labels.groupsMore}>
        <DirectoryGroups />
      </Part>
      <Part title={labels.activity} more={labels.activityMore}>
        <DirectoryActivity />
      </Part>
    </AdministrationPage>
  );
}
