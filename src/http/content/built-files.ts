import { join } from 'node:path';

/**
 * Folder of the console's build. Its scripts and styles are in a folder `console` there, their names holding their
 * hash.
 */
export const consoleFolder = join(import.meta.dirname, '../../../dashboards/console/dist');

/** Placeholder in the console's page, which each answer replaces by a nonce of its own. */
export const noncePlace = 'nonce-of-this-answer';

/** The script of the page where a person checks a receipt, in the folder of the console's build. */
export const verifyScript = 'verify/page.js';
