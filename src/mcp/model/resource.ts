import type * as protocol from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from './tool.ts';

/** The library of the protocol: large, and loaded with the first client. */
export type Protocol = typeof protocol;

/** Something that clients can read by its address. */
export interface McpResource {
  /** Its address, or the template of theirs. */
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly register: (server: McpServer, on: McpContext, protocol: Protocol) => void;
  /** True where clients may subscribe to its changes. */
  readonly subscribable?: boolean;
}
