import { threadTask } from '#src/lib/thread-task.ts';
import { speakText } from '#src/providers/local/speak-text.ts';

export default threadTask(speakText);
