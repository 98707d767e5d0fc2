import { Button, Code, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';

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
    // a page whose script is gone is one of a release before the one that is served now
    const isOld = /dynamically imported module|module script/i.test(error.message);
    return (
      <Stack p="xl" maw="40rem" align="flex-start" role="alert">
        <Title order={2}>{isOld ? 'There is a newer version of this page' : 'This part of the page has failed'}</Title>
        <Text>
          {isOld
            ? 'The service was updated since you opened it.'
            : 'That is a fault of ours. Loading the page again may help; what you see in other parts is not affected.'}
        </Text>
        {!isOld && <Code block>{error.message}</Code>}
        <Button onClick={() => location.reload()}>Load again</Button>
      </Stack>
    );
  }
}
