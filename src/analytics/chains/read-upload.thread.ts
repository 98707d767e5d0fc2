import { threadTask } from '#src/lib/async/thread-task.ts';
import { readUpload } from './read-upload.ts';

export default threadTask(readUpload);
