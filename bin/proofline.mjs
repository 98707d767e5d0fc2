#!/usr/bin/env node
// Starts Proofline on a machine that has Node 18 or newer and npm, and nothing else: installs what is missing, brings
// the Node version that package.json asks for, and runs src/cli.ts with it (or the file after `run`).
// Plain JavaScript, because an older Node must be able to read it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installDependencies, isCheckout } from './install.mjs';
import { findNode } from './node-runtime.mjs';
import { oldNode, oldNodeNote } from './project-node.mjs';
import { watchNpm } from './watch-npm.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The program to run and its arguments: `run FILE …` is that file, everything else is for the command line. */
function program([first, file, ...rest]) {
  if (first !== 'run') return [join(root, 'src/cli.ts'), ...process.argv.slice(2)];
  if (!file) throw new Error('usage: node bin/proofline.mjs run FILE [argument …]');
  const inside = resolve(root, file);
  return [existsSync(inside) ? inside : resolve(file), ...rest];
}

function start(node, env) {
  const guard = pathToFileURL(join(root, 'bin/end-with-parent.mjs')).href;
  // A group of its own: Ctrl-C then reaches the child once, through us, and not a second time from the terminal.
  // The channel closes when we are gone, however we went; the guard then ends the child.
  const child = spawn(node, ['--import', guard, ...program(process.argv.slice(2))], {
    env,
    detached: process.platform !== 'win32',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
    process.on(
      signal,
      onceAtATime(() => child.kill(signal)),
    );
  watchNpm(() => child.kill('SIGTERM'));
  child.once('error', (error) => fail(error));
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Reached only where the signal does not end a process at once.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100);
  });
}

/** Ctrl-C under npm arrives twice, from the terminal and from npm; a second one would mean "at once". */
function onceAtATime(action) {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < 500) return;
    last = performance.now();
    action();
  };
}

function fail(error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

// before a script of a project, by the Node that this script is about to be run with
if (process.argv[2] === 'check-node') {
  const refusal = oldNode(process.versions.node);
  if (refusal !== null) fail(new Error(refusal));
  process.exit(0);
}

try {
  const { node, libraries } = await findNode(root);
  // Compiled code is kept, so that later starts need not parse and strip the same files again.
  const compiled = isCheckout(root) ? 'node_modules/.cache/compiled' : '../.cache/proofline';
  const cache = { NODE_COMPILE_CACHE: join(root, compiled) };
  const env = { ...cache, ...process.env, ...libraries, PATH: dirname(node) + delimiter + (process.env.PATH ?? '') };
  await installDependencies(root, env);
  // a checkout runs all of its programs with the Node that is brought
  const note = isCheckout(root) ? null : oldNodeNote(process.versions.node, process.argv[2]);
  if (note !== null) process.stderr.write(`${note}\n`);
  start(node, env);
} catch (error) {
  fail(error);
}
