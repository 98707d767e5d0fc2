import { threadTask } from '#src/lib/thread-task.ts';
import { verifySemaphore } from './verify-semaphore.ts';

export default threadTask(verifySemaphore);
