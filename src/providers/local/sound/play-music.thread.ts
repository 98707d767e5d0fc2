import { threadTask } from '#src/lib/async/thread-task.ts';
import { playMusic } from './play-music.ts';

export default threadTask(playMusic);
