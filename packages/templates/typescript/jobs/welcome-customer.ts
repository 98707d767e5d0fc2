import { defineJob } from '@proofline/worker';

export const welcomeCustomer = defineJob({
  name: 'acme.welcome-customer',
  payload: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  result: { type: 'object', properties: { sent: { type: 'string' } }, required: ['sent'] },
  async run({ payload, step, sleep, effect, progress }) {
    const text = await step('write', () => {
      console.log(`writing to ${payload.name}`);
      return `Welcome, ${payload.name}!`;
    });
    progress({ percent: 50 });
    await sleep('think it over', '5s');
    return await effect('send', { text }, ({ key, request }) => {
      console.log(`sending under ${key}`);
      return { sent: request.text };
    });
  },
});
