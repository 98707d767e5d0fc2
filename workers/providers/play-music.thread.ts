import { threadTask } from '#src/lib/thread-task.ts';
import { playMusic } from '#src/providers/local/play-music.ts';

export default threadTask(playMusic);
