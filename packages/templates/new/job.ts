import { defineJob } from '@proofline/worker';

export const doSomething = defineJob({
  name: 'acme.do-something',
  payload: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  async run({ payload, step }) {
    const length = await step('measure', () => payload.text.length);
    return { length };
  },
});
