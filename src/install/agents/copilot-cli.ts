import { join } from 'node:path'
import { carries } from '../../agents/copilot-cli/carries.ts'
import type { InstallContext } from '../install-context.ts'
import { ownFolder } from '../hooks-file/command-line.ts'
import { isBelow } from '../hooks-file/folder-trust.ts'
import { jsonAt, switchedOff } from '../hooks-file/read-json.ts'
import type { Registration } from '../hooks-file/registration.ts'

const folderOf = (context: InstallContext) => ownFolder(context, 'COPILOT_HOME', '.copilot')
const folderIn = (context: InstallContext) =>
  context.scope === 'user' ? folderOf(context) : join(context.cwd, '.github')

export const copilotCli: Registration = {
  agent: 'copilot-cli',
  carries,
  files: (context) => [{ file: join(folderIn(context), 'hooks', 'hookgate.json'), at: 'hooks', holds: 'handlers' }],
  beside: { version: 1 },
  // Without a `matcher`: `*` would match no tool at all.
  entry: ({ command, platform, timeoutS }) => ({
    type: 'command',
    ...(platform === 'win32' ? { powershell: command } : { bash: command }),
    timeoutSec: timeoutS,
  }),
  obstacles: (context) =>
    switchedOff(
      [
        join(context.cwd, '.github', 'copilot', 'settings.local.json'),
        join(context.cwd, '.github', 'copilot', 'settings.json'),
        join(folderOf(context), 'settings.json'),
        join(folderOf(context), 'config.json'),
        join(folderOf(context), 'hooks', 'hookgate.json'),
        join(context.cwd, '.github', 'hooks', 'hookgate.json'),
      ],
      ['disableAllHooks'],
      true,
    ),
  problems: (context) =>
    context.scope === 'user' || isTrusted(context)
      ? []
      : [`Copilot CLI does not run hooks of an untrusted folder: start \`copilot\` in ${context.cwd} and trust it`],
  steps: ({ scope, cwd }) =>
    scope === 'project'
      ? [`Copilot CLI runs them only in a trusted folder: start \`copilot\` in ${cwd} and trust it`]
      : [],
}

/** Folders that a person has said to trust for good. */
function isTrusted(context: InstallContext): boolean {
  const files = ['config.json', 'settings.json'].map((name) => join(folderOf(context), name))
  const lists = files.flatMap((file) => ['trusted_folders', 'trustedFolders'].map((key) => jsonAt(file, key)))
  return lists.some(
    (list) => Array.isArray(list) && list.some((root) => typeof root === 'string' && isBelow(context.cwd, root)),
  )
}
