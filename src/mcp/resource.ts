import type { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from './tool.ts';

/** Something that clients can read by its address. */
export interface McpResource {
  readonly register: (server: McpServer, on: McpContext) => void;
  /** Whether clients may ask to be told when it changes. */
  readonly subscribable?: boolean;
}
