import { SegmentedControl, Tabs } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '#console/ui/data/code-block.tsx';
import { Panel } from '#console/ui/panel.tsx';
import classes from './begin-panel.module.css';
import { agentSettings, type Language, languages, snippetOf } from './snippets.ts';
import { surfaces } from './surfaces.ts';

/** A first call of each API, as one pastes it. */
export function BeginPanel() {
  const [language, setLanguage] = useState<Language>('curl');
  const { origin } = location;
  return (
    <Panel
      title="A first call"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
        />
      }
    >
      <Tabs defaultValue="studio">
        <Tabs.List mb="md">
          {surfaces.map(({ name, title }) => (
            <Tabs.Tab key={name} value={name}>
              {title}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="agents">Agents</Tabs.Tab>
        </Tabs.List>
        {surfaces.map((surface) => (
          <Tabs.Panel key={surface.name} value={surface.name}>
            <p className={classes['about']}>
              {surface.about} Takes a key with <code>{surface.scope}</code>, here from <code>PROOFLINE_KEY</code>.
            </p>
            <CodeBlock what={`${surface.title} example`} code={snippetOf(language, surface, origin)} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="agents">
          <p className={classes['about']}>
            Agents use the same service by the Model Context Protocol. Put a key with <code>platform.mcp.execute</code>{' '}
            in place of the dots.
          </p>
          <CodeBlock what="settings of an agent" code={agentSettings(origin)} />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}
