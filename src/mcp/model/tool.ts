import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { Static, TSchema } from 'typebox';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Principal, Scope } from '#src/lib/principal.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';

/** Parts that tools and resources work with. */
export interface McpContext {
  readonly context: Context;
  readonly hub: Hub;
}

/** Caller of this very request. */
export interface McpCaller {
  readonly principal: Principal;
  /** Returns the address of a surface for the caller, without a path: `https://api.example.com`. */
  readonly base: (surface: ToolSurface) => string;
  /** Address of the caller, behind the trusted proxies. */
  readonly ip: string;
  /** Name of this request in the logs. */
  readonly requestId: string;
}

export interface ToolCall<Input> extends McpCaller {
  readonly input: Input;
  /** Tells the client that the call goes on, in words; nothing happens where the client did not ask for it. */
  readonly progress: (message: string) => void;
  /** Aborted when the client takes the call back or has gone, and when this process stops. */
  readonly signal: AbortSignal;
}

/** A resource that an answer speaks of, for the client to read. */
export interface Link {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

export interface ToolAnswer<Output> {
  readonly output: Output;
  readonly links?: readonly Link[];
  /** Set where the request did not succeed; the output says how. */
  readonly failed?: boolean;
}

/** The surfaces that have tools; a process that serves some of them offers those alone. */
export type ToolSurface = Config['SURFACES'][number];

/** A tool of machine clients, as data: what is offered, to whom, and the function that does it. */
export interface Tool<Input extends TSchema = TSchema, Output extends TSchema = TSchema> {
  readonly name: string;
  readonly title: string;
  /** For a model that chooses: what it does, what it does not, what to do next. */
  readonly description: string;
  /** Several where it belongs to each of them. */
  readonly surface: ToolSurface | readonly ToolSurface[];
  /** Scope that a key must hold; null where any valid key will do. */
  readonly scope: Scope | null;
  readonly input: Input;
  readonly output: Output;
  readonly hints: ToolAnnotations;
  /** Runs the tool. Its errors become errors that the model reads; of our own sentences only. */
  readonly run: (on: McpContext, call: ToolCall<Static<Input>>) => Promise<ToolAnswer<Static<Output>>>;
}

/** Checks a tool against its own schemas and forgets them, so that tools of all shapes fit one table. */
export function tool<Input extends TSchema, Output extends TSchema>(definition: Tool<Input, Output>): Tool {
  return definition;
}
