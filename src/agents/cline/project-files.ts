import { join } from 'node:path'
import type { InnerCode } from '../install/inner-code.ts'
import { environment, inheritedVariables, type SwitchVariables } from '../install/switch-variables.ts'

// Cline's command line is a program of Bun, which reads files of the folder that it is started in: measured on 3.0.65.

/** The variables of Cline's command line, which takes them from files of a project and hands them to its hooks. */
export const variables: SwitchVariables = {
  places({ cwd, env }) {
    const mode = /^(?:production|test)$/.exec(env['NODE_ENV'] ?? '')?.[0] ?? 'development'
    const names = [`.env.${mode}.local`, ...(mode === 'test' ? [] : ['.env.local']), `.env.${mode}`, '.env']
    return [environment, ...names.map((name) => ({ by: 'project', file: join(cwd, name) }) as const)]
  },
  // Its hooks are started without bash.
  rows: inheritedVariables(['own'], ['project'], ['BASH_ENV', 'SHELLOPTS']),
}

const configuration = 'bunfig.toml'
const never = /(?!)/

/** Code of a project that Cline's command line runs in its own process before everything else. */
export const preloaded: InnerCode = {
  title: 'the file',
  programs: ['cline'],
  options: never,
  commands: never,
  variables: [],
  settings: never,
  line: { file: /(?:^|\/)bunfig\.toml$/, text: /\bpreload\b/ },
  found({ cwd, settings }) {
    const file = join(cwd, configuration)
    return settings.toml(file, 'preload') === undefined ? [] : [{ folder: file, uses: ['preload'] }]
  },
  remedy: () => 'Cline’s command line runs what it names, before everything else',
}
