import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';

type Reason = 'asking' | 'away' | 'newer';

const words: Readonly<Record<Reason, readonly [title: string, text: string]>> = {
  asking: ['The page did not come', 'Asking why …'],
  away: [
    'The service does not answer',
    'It may be starting again, or you may be offline. The page is loaded when it answers: try again in a moment.',
  ],
  newer: ['There is a newer version of this page', 'The service was updated since you opened it.'],
};

/** The script or the styles of a page did not come: the service is away, or has those of another release by now. */
export function NotLoaded() {
  const [reason, setReason] = useState<Reason>('asking');
  const [title, text] = words[reason];
  useEffect(() => {
    void isThere().then((there) => setReason(there ? 'newer' : 'away'));
  }, []);
  const again = async () => {
    if (await isThere()) location.reload();
    else setReason('away');
  };
  return (
    <Stack p="xl" maw="40rem" align="flex-start" role="alert">
      <Title order={2}>{title}</Title>
      <Text>{text}</Text>
      <Button onClick={() => void again()}>{reason === 'newer' ? 'Load again' : 'Try again'}</Button>
    </Stack>
  );
}

/** Checks that the service answers: loading the page again while it does not would leave nothing at all. */
async function isThere(): Promise<boolean> {
  return await fetch('/v1/health').then(
    ({ ok }) => ok,
    () => false,
  );
}
