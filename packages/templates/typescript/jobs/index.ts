import { welcomeCustomer } from './welcome-customer.ts';

export const jobs = [welcomeCustomer];
