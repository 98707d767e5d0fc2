import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { signInAddress } from '#console/api/session.ts';
import classes from './sign-in.module.css';
import { Wordmark } from './wordmark.tsx';

/** Page for a visitor who is not signed in. */
export function SignIn({ possible }: { readonly possible: boolean }) {
  return (
    <main className={classes['stage']}>
      <title>Sign in · Proofline</title>
      <section className={classes['card']}>
        <Wordmark />
        <Title order={1} mt="xl" fz="1.5rem">
          Sign in to the console
        </Title>
        <Text mt="xs" c="var(--quiet)">
          Follow queues and jobs, decide what waits for approval, make films from briefs, read the market, and check the
          receipts of all of it.
        </Text>
        {possible ? (
          <Button component="a" href={signInAddress()} size="md" fullWidth mt="xl">
            Sign in
          </Button>
        ) : (
          <Text mt="xl" role="alert">
            There is no identity provider yet: this service was started without <code>OIDC_ISSUER</code>. An operator
            can <Anchor href="/auth/link">sign in by a one-time link</Anchor> that <code>proofline operator link</code>{' '}
            prints. Keys work without either.
          </Text>
        )}
        <Group mt="xl" gap="lg" fz="sm">
          <Anchor href="/verify" fz="sm">
            Verify a receipt
          </Anchor>
          <Anchor href="/v1/openapi.json" fz="sm">
            API description
          </Anchor>
        </Group>
      </section>
    </main>
  );
}
