import { Menu, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { signOut, useSession } from '#console/api/session.ts';
import { Icon } from '#console/ui/icon.tsx';
import classes from './account.module.css';

const schemes = { light: 'Light', dark: 'Dark', auto: 'As the system' } as const;

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Visitor who is signed in, the colour scheme, and the way out. */
export function Account() {
  const { email, operator } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <div className={classes['account']}>
      <Menu position="top-start" width={220}>
        <Menu.Target>
          <button type="button" className={classes['who']}>
            <span className={classes['initial']} aria-hidden="true">
              {email.slice(0, 1).toUpperCase()}
            </span>
            <span className={classes['words']}>
              <span className={classes['email']}>{email}</span>
              <span className={classes['role']}>{operator ? 'Operator' : 'Member'}</span>
            </span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Appearance</Menu.Label>
          {Object.entries(schemes).map(([scheme, label]) => (
            <Menu.Item
              key={scheme}
              onClick={() => setColorScheme(scheme as keyof typeof schemes)}
              rightSection={colorScheme === scheme ? <Icon name="check" /> : null}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<Icon name="out" />}
            onClick={() => void signOut().catch((error: Error) => setProblem(error.message))}
          >
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <p className={classes['zone']}>Times are in {zone}</p>
      {problem !== null && <p role="alert">{problem}</p>}
    </div>
  );
}
