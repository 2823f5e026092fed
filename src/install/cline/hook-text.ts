import { lastResortAt } from '../../agents/last-resort.ts'
import type { Scope } from '../install-context.ts'
import type { HookCommand } from '../hook-command.ts'
import { shellWord } from '../../model/shell-word.ts'

const remedy = 'install hookgate (`npm install --global hookgate`), or remove this hook'

/**
 * The file for an event where no client of this machine can be named. Cline goes ahead where a hook fails: whatever keeps
 * hookgate from answering, the file itself refuses. To Cline hookgate is never silent, so silence is not its answer.
 */
export function hookText(
  event: string,
  scope: Scope,
  platform: NodeJS.Platform,
  { command, args }: HookCommand,
): string {
  const { stdout, stderr } = lastResortAt('cline', event, remedy, false)
  const flags = scope === 'project' ? ' --scope project' : ''
  const head = `# hookgate asked at ${event} of cline
# Written by \`hookgate enable cline${flags}\`; \`hookgate disable cline${flags}\` takes it away.
`
  const words = [command, ...args]
  if (platform === 'win32') {
    return `${head}& ${words.map(powershellWord).join(' ')}
if ($LASTEXITCODE -eq 0) { exit 0 }
${powershellWord(stdout.trimEnd())}
exit 0
`
  }
  return `#!/bin/sh
${head}if answer=$(${words.map(shellWord).join(' ')}) && [ -n "$answer" ]; then
  printf '%s\\n' "$answer"
  exit 0
fi
echo ${shellWord(stdout.trimEnd())}
echo ${shellWord(stderr.trimEnd())} >&2
exit 0
`
}

const powershellWord = (word: string) => `'${word.replaceAll("'", "''")}'`
