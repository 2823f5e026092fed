import { lastResortAt } from '../../agents/last-resort.ts'
import type { AgentName } from '../../model/event.ts'
import type { InstallScope } from '../install-context.ts'
import type { HookCommand } from '../hook-command.ts'
import { shellWord } from '../../model/text.ts'

const remedy = 'install hookgate (`npm install --global hookgate`), or remove this hook'

/**
 * The file for an event where no client of this machine can be named. Cline goes ahead where a hook fails, so the file
 * itself refuses where hookgate fails, or prints nothing: to Cline it always prints an answer.
 */
export function hookText(
  agent: AgentName,
  event: string,
  scope: InstallScope,
  platform: NodeJS.Platform,
  { command, args }: HookCommand,
): string {
  const { stdout, stderr } = lastResortAt(agent, event, remedy, false)
  const flags = scope === 'project' ? ' --scope project' : ''
  const head = `# hookgate asked at ${event} of ${agent}
# Written by \`hookgate enable ${agent}${flags}\`; \`hookgate disable ${agent}${flags}\` takes it away.
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
