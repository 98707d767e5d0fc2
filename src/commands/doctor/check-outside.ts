import { privateKeyToAccount } from 'viem/accounts';
import { counted } from '#src/lib/text/counted.ts';
import { loadPersonas } from '#src/platform/personas/personas.ts';
import { loadCatalogue } from '#src/providers/catalogue/catalogue-load.ts';
import { missingCredential } from '#src/providers/catalogue/credentials.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { chainAt } from '#src/system/outside/evm-chain.ts';
import { type Finding, failed, fault, ok, skipped, warning } from './finding.ts';

/** Says whether the files of providers and personas can be used, and whether the keys of providers are set. */
export function checkFiles(config: Config, env: NodeJS.ProcessEnv): readonly Finding[] {
  return [checkProviders(config, env), checkPersonas(config)];
}

function checkProviders(config: Config, env: NodeJS.ProcessEnv): Finding {
  const check = 'providers';
  try {
    const catalogue = loadCatalogue(config);
    const missing = catalogue.flatMap((one) => {
      const name = missingCredential(one, env);
      return name === null ? [] : [`${name} of ${one.id}`];
    });
    if (missing.length === 0) return ok(check, counted(catalogue.length, 'provider'));
    return warning(check, `no key, or one that is malformed, in ${missing.join(', ')}: set it for every process.`);
  } catch (error) {
    return failed(check, error, 'look at PROVIDERS_FILE.');
  }
}

function checkPersonas(config: Config): Finding {
  try {
    return ok('personas', counted(loadPersonas(config).length, 'persona'));
  } catch (error) {
    return failed('personas', error, 'look at PERSONAS_FILE.');
  }
}

/** Asks the chain that receipts are anchored on, and for the funds of the account that anchors them. */
export async function checkChain({ ANCHOR_RPC_URL, ANCHOR_CHAIN, ANCHOR_KEY }: Config): Promise<Finding> {
  const check = 'chain';
  if (ANCHOR_RPC_URL === '') return skipped(check, 'ANCHOR_RPC_URL is not set: receipts are not anchored.');
  try {
    const chain = chainAt(ANCHOR_RPC_URL, ANCHOR_CHAIN);
    await chain.check();
    if (ANCHOR_KEY === '')
      return fault(check, `${ANCHOR_CHAIN} answers, but ANCHOR_KEY is not set: nothing is anchored.`);
    const { address } = privateKeyToAccount(ANCHOR_KEY as `0x${string}`);
    if ((await chain.balance(address)) > 0n) return ok(check, `${ANCHOR_CHAIN} answers, and ${address} has funds`);
    return warning(check, `the account ${address} has no funds on ${ANCHOR_CHAIN}: send it some, or anchors wait.`);
  } catch (error) {
    return failed(check, error, 'look at ANCHOR_RPC_URL and ANCHOR_CHAIN.');
  }
}
