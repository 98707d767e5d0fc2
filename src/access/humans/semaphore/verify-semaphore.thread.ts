import { threadTask } from '#src/lib/async/thread-task.ts';
import { verifySemaphore } from './verify-semaphore.ts';

export default threadTask(verifySemaphore);
