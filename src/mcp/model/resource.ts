import type { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from './tool.ts';

/** Something that clients can read by its address. */
export interface McpResource {
  /** Its address, or the template of theirs. */
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly register: (server: McpServer, on: McpContext) => void;
  /** True where clients may subscribe to its changes. */
  readonly subscribable?: boolean;
}
