import { join } from 'node:path'
import { carries } from '../../agents/codex/carries.ts'
import { limits } from '../../model/limits.ts'
import type { InstallContext } from '../install-context.ts'
import { ownFolder } from '../hooks-file/command-line.ts'
import { textOf } from '../hooks-file/read-json.ts'
import type { Found, Registration } from '../hooks-file/registration.ts'
import { tomlLines } from '../hooks-file/toml.ts'

const folderOf = (context: InstallContext) => ownFolder(context, 'CODEX_HOME', '.codex')
const configOf = (context: InstallContext) => join(folderOf(context), 'config.toml')
const said = (file: string) => tomlLines(textOf(file) ?? '')

export const codex: Registration = {
  agent: 'codex',
  carries,
  files: (context) => [
    {
      file: join(context.scope === 'user' ? folderOf(context) : join(context.cwd, '.codex'), 'hooks.json'),
      at: 'hooks',
      holds: 'groups',
    },
  ],
  onlyKeys: ['hooks', 'description'],
  entry: ({ command, timeoutS }) => ({ type: 'command', command, timeout: timeoutS }),
  times: {
    SessionEnd: { timeoutS: limits.registeredBriefTimeoutS, answerMs: limits.registeredBriefAnswerMs },
  },
  obstacles(context) {
    const managed = '/etc/codex/requirements.toml'
    const off = [configOf(context), join(context.cwd, '.codex', 'config.toml'), managed].flatMap((file) =>
      ['features.hooks', 'features.codex_hooks'].flatMap((key) =>
        said(file).get(key) === 'false' ? [`${file}: \`${key}\` is false, which keeps every hook from running`] : [],
      ),
    )
    const only = said(managed).get('allow_managed_hooks_only') === 'true'
    return [...off, ...(only ? [`${managed}: \`allow_managed_hooks_only\` blocks users' own hooks`] : [])]
  },
  problems: (context, found) => [
    ...distrusted(context, found),
    ...(context.scope === 'project' ? projectTrust(context) : []),
  ],
  steps: () => [
    'Codex runs a hook only once you have trusted it: start `codex`, type `/hooks` and trust them; for a single `codex exec`, use `--dangerously-bypass-hook-trust`',
  ],
}

/** Codex keeps the hash of every hook that a person has trusted; which hash it would have to be, only Codex knows. */
function distrusted(context: InstallContext, { file, real, handlers }: Found): readonly string[] {
  const config = said(configOf(context))
  const stateOf = ({ event, entry, index }: Found['handlers'][number], key: string) =>
    [file, real]
      .map((path) => `${path}:${snakeCase(event)}:${entry}:${index}`)
      .flatMap((hook) => [`"${hook}"`, `'${hook}'`])
      .map((hook) => config.get(`hooks.state.${hook}.${key}`))
      .find((value) => value !== undefined)
  const untrusted = handlers.filter((handler) => stateOf(handler, 'trusted_hash') === undefined).length
  const off = handlers.filter((handler) => stateOf(handler, 'enabled') === 'false').map(({ event }) => event)
  return [
    ...(untrusted === 0
      ? []
      : [
          `${untrusted} of its ${handlers.length} hooks are not trusted, and Codex does not run them: start \`codex\`, type \`/hooks\` and trust them`,
        ]),
    ...(off.length === 0
      ? []
      : [`it is switched off at ${off.join(', ')}: switch it on again with \`/hooks\` in Codex`]),
  ]
}

const snakeCase = (event: string) => event.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase()

function projectTrust(context: InstallContext): readonly string[] {
  const config = said(configOf(context))
  const levels = [`"${context.cwd}"`, `'${context.cwd}'`].map((path) => config.get(`projects.${path}.trust_level`))
  if (levels.some((level) => level === '"trusted"' || level === "'trusted'")) return []
  return [`Codex ignores a project that is not trusted: start \`codex\` in ${context.cwd} and trust it`]
}
