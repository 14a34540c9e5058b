import { Menu, useMantineColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { BookOpen, Keyboard, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import { shortcutsDialog } from "@/features/shortcuts/Shortcuts";
import { useSignOut } from "@/features/sessions/useSignOut";
import { ButtonMenu } from "@/kit/overlay/ButtonMenu";
import { isTouch } from "@/kit/input/touch";
import { texts } from "@/texts";

interface Props {
  organizationId: string;
  onChosen: () => void;
}

const SCHEMES = [
  { value: "light", icon: Sun },
  { value: "dark", icon: Moon },
  { value: "auto", icon: Monitor },
] as const;

/** The account menu: settings, theme, sign out. */
export function PersonMenu({ organizationId, onChosen }: Props) {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const openSettings = () => {
    onChosen();
    void navigate({ to: "/o/$organizationId/settings", params: { organizationId } });
  };
  const openShortcuts = () => {
    onChosen();
    shortcutsDialog.set(true);
  };
  return (
    <ButtonMenu position="top-start" width={240} withinPortal={isTouch()}>
      <Menu.Item leftSection={<Settings size={15} aria-hidden />} onClick={openSettings}>
        {texts.settings.title}
      </Menu.Item>
      <Menu.Item leftSection={<Keyboard size={15} aria-hidden />} onClick={openShortcuts}>
        {texts.app.shortcuts}
      </Menu.Item>
      <Menu.Item leftSection={<BookOpen size={15} aria-hidden />} component="a" href="/docs/guides">
        {texts.app.guides}
      </Menu.Item>
      <Menu.Item leftSection={<BookOpen size={15} aria-hidden />} component="a" href="/docs">
        {texts.app.reference}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{texts.settings.theme}</Menu.Label>
      {SCHEMES.map(({ value, icon: Icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon size={15} aria-hidden />}
          closeMenuOnClick={false}
          aria-current={value === colorScheme || undefined}
          fw={value === colorScheme ? 600 : 400}
          onClick={() => setColorScheme(value)}
        >
          {texts.settings.themes[value]}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<LogOut size={15} aria-hidden />} onClick={signOut}>
        {texts.sessions.signOut}
      </Menu.Item>
    </ButtonMenu>
  );
}
