import { SegmentedControl, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { texts } from "@/texts";

const SCHEMES = ["light", "dark", "auto"] as const;

export function AppearanceForm() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label={texts.settings.theme}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as MantineColorScheme)}
      data={SCHEMES.map((value) => ({ value, label: texts.settings.themes[value] }))}
    />
  );
}
