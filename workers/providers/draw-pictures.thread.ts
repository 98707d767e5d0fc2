import { threadTask } from '#src/lib/thread-task.ts';
import { drawPictures } from '#src/providers/local/draw-pictures.ts';

export default threadTask(drawPictures);
