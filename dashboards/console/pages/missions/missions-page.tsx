import { Grid, Stack } from '@mantine/core';
import { useSession } from '#console/api/session.ts';
import { Page } from '#console/ui/page.tsx';
import { AbilitiesPanel } from './abilities-panel.tsx';
import { BecomeHuman } from './become-human.tsx';
import { GoalForm } from './goal-form.tsx';
import { MissionsPanel } from './missions-panel.tsx';

/** One's missions, and the way to a new one. */
export function MissionsPage() {
  const { human } = useSession();
  return (
    <Page
      title="Missions"
      lead="A goal in words: planned, run step by step, and sealed into a receipt that anyone can check."
    >
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            {human ? <GoalForm /> : <BecomeHuman />}
            <MissionsPanel />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <AbilitiesPanel />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
