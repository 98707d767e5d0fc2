import { Grid } from '@mantine/core';
import { Page } from '#console/ui/page.tsx';
import { BeginPanel } from './begin-panel.tsx';
import { CreateKey } from './create-key.tsx';
import { DocumentsPanel } from './documents-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';

/** Keys for programs, and how programs begin. */
export function DevelopersPage() {
  return (
    <Page title="Developers" lead="Keys for your programs, and how they begin." actions={<CreateKey />}>
      <KeysPanel />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <BeginPanel />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <DocumentsPanel />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
