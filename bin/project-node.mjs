/** Oldest Node that runs the programs of a project as `proofline init` writes them, in TypeScript and without a build. */
const projectNode = '22.18';

/**
 * The sentence for a person whose own Node cannot run the programs of a project: Proofline brings a Node for itself, and
 * theirs would end with ERR_UNKNOWN_FILE_EXTENSION. Null where it can, or where no project is about to be run.
 *
 * @param {string} version of the Node that the person has, without a v
 * @param {string | undefined} command such as `init`
 * @returns {string | null}
 */
export function oldNodeNote(version, command) {
  return command === 'init' || command === 'new' || command === 'up' ? oldNode(version) : null;
}

/**
 * The same before a program of a project is run, as `proofline check-node` says it; null where the Node is new enough.
 *
 * @param {string} version of the Node that the person has, without a v
 * @returns {string | null}
 */
export function oldNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, leastMinor = 0] = projectNode.split('.').map(Number);
  if (major > least || (major === least && minor >= leastMinor)) return null;
  return `Workers and programs in TypeScript need Node ${projectNode} or newer, got Node ${version}: install a newer one from https://nodejs.org, or by a version manager (nvm install --lts), and then npm run worker.`;
}
