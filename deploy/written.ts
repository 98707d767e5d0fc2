import { stringify } from 'yaml';

/** Comment at the head of a file that is written from tables. */
export const head = (from: string): string =>
  `# Written by \`node bin/proofline.mjs run deploy/write.ts\` from ${from}: change that.\n`;

/** YAML with a line for each value, however long, and without references between its parts. */
export const yaml = (document: object): string => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
