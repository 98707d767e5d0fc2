import { Argument, Command } from 'commander';
import { levelsOf } from './command-levels.ts';
import { bashScript, fishScript, zshScript } from './completion-scripts.ts';

const help = `
The script completes a command named \`proofline\`: put bin/proofline.mjs under that name into a folder of your PATH, for
example with ln -s "$PWD/bin/proofline.mjs" ~/.local/bin/proofline

Examples:
  $ source <(proofline completion bash)                                           for this shell
  $ proofline completion bash > ~/.local/share/bash-completion/completions/proofline
  $ proofline completion zsh > "\${fpath[1]}/_proofline"
  $ proofline completion fish > ~/.config/fish/completions/proofline.fish

Exit codes: 0 done; 2 wrong use.`;

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Prints a script and nothing else, so it has no `--json`. `program` gives the whole command line. */
export function completionCommand(program: () => Promise<Command>): Command {
  return new Command('completion')
    .description('print a script that completes this command line in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .addHelpText('after', help)
    .action(async (shell: keyof typeof scripts) => {
      process.stdout.write(scripts[shell](levelsOf(await program())));
    });
}
