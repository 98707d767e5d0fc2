import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallToolResult,
  type ContentBlock,
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';

/*
 * What the public conformance suite expects a server under test to offer. It is registered by the test's own server and
 * nowhere else: nothing of it is reachable in the service.
 */

/** A red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A second of nothing, without its samples. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image: ContentBlock = { type: 'image', data: png, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, value: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

interface Fixture {
  readonly description: string;
  readonly input?: Record<string, unknown>;
  readonly run: (input: Record<string, string>, context: ServerContext) => Promise<readonly ContentBlock[]>;
}

const told = (description: string, ...content: ContentBlock[]): Fixture => ({ description, run: async () => content });
const required = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });

/** Lets the client's human fill a form, and says what came of it. */
async function elicit({ mcpReq }: ServerContext, message: string, properties: object, needed: string[], words: string) {
  const requestedSchema = { type: 'object', properties, required: needed };
  const { action, content } = await mcpReq.elicitInput({ message, requestedSchema } as never);
  return [text(`${words}: action=${action}, content=${JSON.stringify(content ?? {})}`)];
}

const tools: Record<string, Fixture> = {
  test_simple_text: told('Says something', text('This is a simple text response for testing.')),
  test_image_content: told('Shows an image', image),
  test_audio_content: told('Plays a sound', { type: 'audio', data: wav, mimeType: 'audio/wav' }),
  test_embedded_resource: told(
    'Embeds a resource',
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  test_multiple_content_types: told(
    'Mixes content',
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  test_tool_with_logging: {
    description: 'Logs while it runs',
    run: async (_input, { mcpReq }) => {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', line);
        await pause(50);
      }
      return [text('Logged.')];
    },
  },
  test_tool_with_progress: {
    description: 'Tells how far it is',
    run: async (_input, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
        await pause(50);
      }
      return [text('Progressed.')];
    },
  },
  test_error_handling: {
    description: 'Fails',
    run: async () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  },
  test_sampling: {
    description: 'Asks the client’s model',
    input: required('prompt'),
    run: async ({ prompt = '' }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
      return [text(`LLM response: ${JSON.stringify(content)}`)];
    },
  },
  test_elicitation: {
    description: 'Asks the client’s human',
    input: required('message'),
    run: async ({ message = '' }, context) => {
      const properties = {
        username: { type: 'string', description: 'User’s response' },
        email: { type: 'string', description: 'User’s email address' },
      };
      return await elicit(context, message, properties, ['username', 'email'], 'User response');
    },
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks with defaults',
    run: async (_input, context) => {
      const properties = {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      };
      return await elicit(context, 'Who are you?', properties, [], 'Elicitation completed');
    },
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks for choices',
    run: async (_input, context) => {
      const options = ['option1', 'option2', 'option3'];
      const titled = ['First', 'Second', 'Third'].map((word, index) => ({ const: `value${index + 1}`, title: word }));
      const properties = {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      };
      return await elicit(context, 'Choose', properties, [], 'Elicitation completed');
    },
  },
  json_schema_2020_12_tool: {
    description: 'Tool with JSON Schema 2020-12 features',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
    run: async () => [text('Fits.')],
  },
  test_reconnection: {
    description: 'Lets the client come back for the answer',
    run: async (_input, { http }) => {
      http?.closeSSE?.();
      await pause(100);
      return [text('Reconnected.')];
    },
  },
};

function addTools(server: McpServer): void {
  for (const [name, { description, input = { type: 'object', properties: {} }, run }] of Object.entries(tools)) {
    server.registerTool(
      name,
      { description, inputSchema: fromJsonSchema<Record<string, string>>(input) },
      async (given, context): Promise<CallToolResult> => ({ content: [...(await run(given, context))] }),
    );
  }
}

function addResources(server: McpServer): void {
  const words = 'This is the content of the static text resource.';
  for (const [name, uri] of [
    ['static-text', 'test://static-text'],
    ['watched', 'test://watched-resource'],
  ] as const)
    server.registerResource(name, uri, { mimeType: 'text/plain' }, async ({ href }) => ({
      contents: [{ uri: href, mimeType: 'text/plain', text: words }],
    }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, async ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: png }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

function addPrompts(server: McpServer): void {
  const user = (content: ContentBlock) => ({ role: 'user' as const, content });
  const named = (...names: string[]) =>
    fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names,
    });
  server.registerPrompt('test_simple_prompt', { description: 'Says something' }, async () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Repeats its arguments', argsSchema: named('arg1', 'arg2') },
    async ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource', argsSchema: named('resourceUri') },
    async (input) => ({
      messages: [
        user(embedded(input['resourceUri'] ?? '', 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows an image' }, async () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
}

export function addFixtures(server: McpServer): void {
  server.server.registerCapabilities({ logging: {}, completions: {}, resources: { subscribe: true } });
  addTools(server);
  addResources(server);
  addPrompts(server);
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: ['test one', 'test two'], total: 2, hasMore: false },
  }));
}
