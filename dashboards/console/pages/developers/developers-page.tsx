import { Grid } from '@mantine/core';
import { CreateKey } from '#console/pages/developers/keys/create-key.tsx';
import { KeysPanel } from '#console/pages/developers/keys/keys-panel.tsx';
import { Page } from '#console/ui/page.tsx';
import { BeginPanel } from './begin-panel.tsx';
import { DocumentsPanel } from './documents-panel.tsx';

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
