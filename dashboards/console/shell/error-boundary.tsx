import { Button, Code, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { NotLoaded } from './not-loaded.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Shows what went wrong in a part of the page, in place of that part. React offers this to classes alone. */
export class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override readonly state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (/dynamically imported module|module script|preload CSS/i.test(error.message)) return <NotLoaded />;
    return (
      <Stack p="xl" maw="40rem" align="flex-start" role="alert">
        <Title order={2}>This part of the page has failed</Title>
        <Text>
          That is a fault of ours. Loading the page again may help; what you see in other parts is not affected.
        </Text>
        <Code block>{error.message}</Code>
        <Button onClick={() => location.reload()}>Load again</Button>
      </Stack>
    );
  }
}
