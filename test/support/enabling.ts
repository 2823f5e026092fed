import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { entryFile } from '../../src/files/program-files.ts'
import type { AgentStatus } from '../../src/install/index.ts'
import { leaveNativeClient } from './native-client.ts'
import { residentUser } from './resident.ts'
import type { folderWith } from './workspace.ts'

const bin = entryFile('cli/bin')

/** Creates a user with a project, with `hookgate` on the PATH and a `claude` of the version, if one is named. */
export function agentUser(...given: Parameters<typeof firstTimeUser>) {
  const user = firstTimeUser(...given)
  leaveNativeClient(join(user.places.folder, 'clients'))
  return user
}

/** Creates such a user for whom hookgate has no folder of its own yet. */
export function firstTimeUser(files: Parameters<typeof folderWith>[0] = {}, claudeVersion?: string) {
  const own = {
    'project/x': '',
    'bin/hookgate': { script: `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n` },
    ...(claudeVersion !== undefined && {
      'bin/claude': { script: `#!/bin/sh\n[ "$1" = --version ] && echo '${claudeVersion} (Claude Code)'\n` },
    }),
  }
  const user = residentUser({ ...own, ...files })
  const project = join(user.folder, 'project')
  const at = (name: string) => join(user.folder, name)
  const env = { PATH: `${at('bin')}:${dirname(process.execPath)}:/usr/bin:/bin` }
  const calling = (call: Parameters<typeof user.cli>[1] = {}) => ({
    cwd: project,
    ...call,
    env: { ...env, ...call.env },
  })
  const cli: typeof user.cli = (argv, call) => user.cli(argv, calling(call))
  return {
    ...user,
    project,
    env: { ...user.env, ...env },
    cli,
    /** Runs a command as a separate process. */
    spawned: (argv: readonly string[], call?: Parameters<typeof user.spawned>[1]) => user.spawned(argv, calling(call)),
    at,
    settings: at('home/.claude/settings.json'),
    read: (name: string) => readFileSync(at(name), 'utf8'),
    write(name: string, text: string | Uint8Array, mode = 0o644) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), text)
      chmodSync(at(name), mode)
    },
    exists: (name: string) => existsSync(at(name)),
    mode: (name: string) => statSync(at(name)).mode & 0o777,
    /** Reads every file below a folder, as text, by its path. */
    files: (name: string): Record<string, string> =>
      Object.fromEntries(
        readdirSync(at(name), { recursive: true, encoding: 'utf8', withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .map((file) => [file, readFileSync(file, 'utf8')]),
      ),
    async agentStatus(agent: string): Promise<AgentStatus> {
      return JSON.parse((await cli(['status', agent, '--json'])).stdout) as AgentStatus
    },
  }
}

/** Creates a user who has never used hookgate: there are no rules. */
export function newcomer(...given: Parameters<typeof agentUser>) {
  const user = agentUser(...given)
  rmSync(user.at('home/.config'), { recursive: true })
  /** Everything in the home folder: each path with its mode, and a file's content. */
  const home = () =>
    readdirSync(user.at('home'), { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((name) => {
        const stats = lstatSync(join(user.at('home'), name))
        return [name, stats.mode, stats.isFile() ? readFileSync(join(user.at('home'), name), 'latin1') : ''] as const
      })
  return { ...user, home, rulesFile: user.at('home/.config/hookgate/hooks.json') }
}
