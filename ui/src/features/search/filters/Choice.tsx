import { Combobox, useCombobox } from "@mantine/core";
import { useEffect, useState } from "react";
import { matchScore } from "@/kit/text/matching";
import { AddButton } from "./AddButton";

interface Option {
  value: string;
  label: string;
  hint?: string;
}

interface Props {
  label: string;
  /** The label of the field that finds an option. */
  find: string;
  nothing: string;
  options: Option[];
  onOpen?: () => void;
  onChoose: (value: string) => void;
}

const MAX = 50;

/** A button that opens a list to choose from, with a field that finds an option by its name. */
export function Choice({ label, find, nothing, options, onOpen, onChoose }: Props) {
  const [typed, setTyped] = useState("");
  const combobox = useCombobox({
    onDropdownOpen: () => {
      setTyped("");
      onOpen?.();
      combobox.focusSearchInput();
    },
    onDropdownClose: (by) => {
      combobox.resetSelectedOption();
      if (by !== "mouse") combobox.focusTarget();
    },
  });
  const found = options.filter((each) => matchScore(each.label, typed) > 0).slice(0, MAX);
  const { selectFirstOption } = combobox;
  useEffect(() => {
    if (typed) selectFirstOption();
  }, [typed, found.length, selectFirstOption]); // the options may still be loading
  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={280}
      withinPortal={false}
      onOptionSubmit={(value) => {
        combobox.closeDropdown("keyboard");
        onChoose(value);
      }}
    >
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <AddButton
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          {label}
        </AddButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label={find}
          placeholder={find}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Combobox.Options mah={280} style={{ overflowY: "auto" }} aria-label={label}>
          {found.map(({ value, label: name, hint }) => (
            <Combobox.Option key={value} value={value}>
              <bdi>{name}</bdi> {hint && <small>{hint}</small>}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{nothing}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
