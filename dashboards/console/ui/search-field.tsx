import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from './icon.tsx';

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  /** Fewer letters are not looked for. */
  readonly least: number;
  readonly onTyped: (value: string) => void;
}

/** A field that reports its text when the visitor stops typing for a moment, or presses Enter. */
export function SearchField({ label, placeholder, value, least, onTyped }: Props) {
  const [typed, setTyped] = useState(value);
  const [applied, setApplied] = useState(value);
  // changed from outside: cleared, or another address
  if (value !== applied) {
    setApplied(value);
    setTyped(value);
  }
  const apply = (text: string) => {
    const wanted = text.trim();
    if (wanted === applied || (wanted !== '' && wanted.length < least)) return;
    setApplied(wanted);
    onTyped(wanted);
  };
  const applySoon = useDebouncedCallback(apply, 400);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={200}
      leftSection={<Icon name="search" size={14} />}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        applySoon(currentTarget.value);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') apply(typed);
      }}
    />
  );
}
