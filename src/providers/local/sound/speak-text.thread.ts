import { threadTask } from '#src/lib/async/thread-task.ts';
import { speakText } from './speak-text.ts';

export default threadTask(speakText);
