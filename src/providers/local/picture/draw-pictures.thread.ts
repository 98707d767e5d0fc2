import { threadTask } from '#src/lib/async/thread-task.ts';
import { drawPictures } from './draw-pictures.ts';

export default threadTask(drawPictures);
