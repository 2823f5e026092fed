import { join } from 'node:path'
import { carries } from '../../agents/copilot-cli/carries.ts'
import type { Asked } from '../asked.ts'
import { ownFolder } from '../hooks-file/command-line.ts'
import { isBelow } from '../hooks-file/folder-trust.ts'
import { jsonAt, switchedOff } from '../hooks-file/read-json.ts'
import type { Registration } from '../hooks-file/registration.ts'

const folderOf = (asked: Asked) => ownFolder(asked, 'COPILOT_HOME', '.copilot')
const folderIn = (asked: Asked) => (asked.scope === 'user' ? folderOf(asked) : join(asked.cwd, '.github'))

export const copilotCli: Registration = {
  agent: 'copilot-cli',
  carries,
  files: (asked) => [{ file: join(folderIn(asked), 'hooks', 'hookgate.json'), at: 'hooks', holds: 'handlers' }],
  beside: { version: 1 },
  // Without a `matcher`: `*` would match no tool at all.
  entry: ({ command, platform, timeoutS }) => ({
    type: 'command',
    ...(platform === 'win32' ? { powershell: command } : { bash: command }),
    timeoutSec: timeoutS,
  }),
  obstacles: (asked) =>
    switchedOff(
      [
        join(asked.cwd, '.github', 'copilot', 'settings.local.json'),
        join(asked.cwd, '.github', 'copilot', 'settings.json'),
        join(folderOf(asked), 'settings.json'),
        join(folderOf(asked), 'config.json'),
        join(folderOf(asked), 'hooks', 'hookgate.json'),
        join(asked.cwd, '.github', 'hooks', 'hookgate.json'),
      ],
      ['disableAllHooks'],
      true,
    ),
  problems: (asked) =>
    asked.scope === 'user' || isTrusted(asked)
      ? []
      : [`Copilot CLI does not run hooks of an untrusted folder: start \`copilot\` in ${asked.cwd} and trust it`],
  steps: ({ scope, cwd }) =>
    scope === 'project'
      ? [`Copilot CLI runs them only in a trusted folder: start \`copilot\` in ${cwd} and trust it`]
      : [],
}

/** Folders that a person has said to trust for good. */
function isTrusted(asked: Asked): boolean {
  const files = ['config.json', 'settings.json'].map((name) => join(folderOf(asked), name))
  const lists = files.flatMap((file) => ['trusted_folders', 'trustedFolders'].map((key) => jsonAt(file, key)))
  return lists.some(
    (list) => Array.isArray(list) && list.some((root) => typeof root === 'string' && isBelow(asked.cwd, root)),
  )
}
