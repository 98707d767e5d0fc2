import { type Static, Type } from 'typebox';

/** Ends of a job. */
export const webhookEvents = ['completed', 'failed', 'cancelled'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Member of a body of work: address that is notified of its end. */
export const Webhook = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'An https address of the open internet',
    }),
    events: Type.Optional(
      Type.Array(Type.Enum([...webhookEvents], { type: 'string' }), {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        description: 'Ends to report; all without it',
      }),
    ),
  },
  {
    title: 'WebhookTarget',
    additionalProperties: false,
    description:
      'Address that is notified of the end of the work, signed as Standard Webhooks has it (`GET /api/v1/webhook-secret`)',
  },
);
export type Webhook = Static<typeof Webhook>;
