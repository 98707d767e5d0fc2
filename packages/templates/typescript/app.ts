import { createClient } from '@proofline/client';
import { welcomeCustomer } from './jobs/welcome-customer.ts';

const client = createClient();
const job = await client.submit(welcomeCustomer, { name: 'Ada' });
for await (const event of job.events()) console.log(event.type, event.data);
console.log(await job.result());
