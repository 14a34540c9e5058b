import { administration } from "@/texts/administration";
import { AdministrationPage } from "../AdministrationPage";
import { Part } from "../Part";
import { DirectoryActivity } from "./DirectoryActivity";
import { DirectoryGroups } from "./DirectoryGroups";
import { DirectoryKeys } from "./DirectoryKeys";
import { ScimAddress } from "./ScimAddress";

const said = administration.directory;

/** How people and groups come from a directory, and what came. */
export function DirectoryPage() {
  return (
    <AdministrationPage {...administration.pages.directory} needs="admin">
      <Part title={said.address} more={said.addressMore}>
        <ScimAddress />
      </Part>
      <DirectoryKeys />
      <Part title={said.groups} more={said.groupsMore}>
        <DirectoryGroups />
      </Part>
      <Part title={said.activity} more={said.activityMore}>
        <DirectoryActivity />
      </Part>
    </AdministrationPage>
  );
}
