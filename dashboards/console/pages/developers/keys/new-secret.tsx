import { Button, Group, Stack, Text } from '@mantine/core';
import { CodeBlock } from '#console/ui/data/code-block.tsx';

/** The secret of a new key, which cannot be shown again. */
export function NewSecret({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <Stack gap="md">
      <Text fz="sm">
        <strong>Copy it now.</strong> It is shown this once: we keep only a hash of it. Its holder can do what it may,
        so keep it where you keep passwords, and out of repositories.
      </Text>
      <CodeBlock what="key" code={secret} wraps />
      <Text fz="sm" c="var(--quiet)">
        In a terminal, so that the examples on this page work as they are:
      </Text>
      <CodeBlock what="line for a terminal" code={`export PROOFLINE_KEY=${secret}`} wraps />
      <Group justify="flex-end">
        <Button onClick={onDone}>I have copied it</Button>
      </Group>
    </Stack>
  );
}
