import { describe, expect, it } from 'vitest'
import { handHandler, ownMark } from '../../src/install/http-groups/groups.ts'
import type { InstallContext } from '../../src/install/install-context.ts'
import { hookScript } from '../../src/service/client/index.ts'
import { clientFor, installationGone, launcherNotes, slowHooks } from '../../src/install/hook-files.ts'
import { registeredTwice } from '../../src/install/status.ts'
import { version } from '../../src/files/program-files.ts'

const asking = (bin: string) =>
  ({
    scope: 'user',
    home: '/home/x',
    cwd: '/project',
    platform: 'linux',
    launcher: { node: '/node', bin },
  }) as InstallContext

describe('where hookgate is installed', () => {
  it('is noted where only one project has it, and refused where it is temporary', async () => {
    expect(launcherNotes(asking('/project/node_modules/hookgate/dist/cli/bin.js'))).toHaveLength(1)
    expect(launcherNotes(asking('/projects/hookgate/dist/cli/bin.js'))).toEqual([])
    await expect(clientFor(asking('/home/x/.npm/_npx/1a2b/node_modules/hookgate/dist/cli/bin.js'))).rejects.toThrow(
      'npx',
    )
  })
})

describe('a note', () => {
  it('names a hook of the user’s own that runs hookgate', () => {
    const isByHand = (handler: unknown) => handHandler(handler) !== undefined
    expect(isByHand({ type: 'command', command: 'npx hookgate run --agent claude-code' })).toBe(true)
    expect(isByHand({ type: 'command', command: '/opt/hookgate', args: ['run'] })).toBe(true)
    expect(isByHand({ type: 'command', command: 'hookgate run', statusMessage: ownMark })).toBe(false)
    expect(isByHand({ type: 'command', command: 'echo hookgate' })).toBe(false)
    expect(isByHand({ type: 'http', url: 'http://x/hookgate run' })).toBe(false)
    expect([5, {}, null].some(isByHand)).toBe(false)
  })

  it('reports that another version wrote the hooks', () => {
    const written = (by: string) => `#!/bin/sh -p\n# hookgate ${by}: Stop of claude-code\n`
    expect(slowHooks('cline', [written(version()), '#!/bin/sh\n# hookgate asked at Stop\n'])).toEqual([])
    expect(slowHooks('cline', [written('0.0.1'), written('0.0.1')])).toEqual([
      expect.stringMatching(/by hookgate 0\.0\.1, .*`hookgate enable cline` again/),
    ])
  })

  it('reports that hooks may not execute their client, which leaves the gate unasked', () => {
    const hooks = (client: string) => {
      const built = { kind: 'native', command: [client, 'x'], assignments: [], shell: ['/bin/sh'] } as const
      const asked = { agent: 'codex', event: 'Stop', folder: '/f', socket: '/s', version: version() } as const
      return hookScript(built, { ...asked, node: process.execPath, bin: process.execPath })
    }
    expect(slowHooks('codex', [hooks(process.execPath), hooks('/gone')])).toEqual([])
    expect(slowHooks('codex', [hooks(import.meta.filename), hooks(import.meta.filename)])).toEqual([
      `its hooks may not execute ${import.meta.filename}, so each event starts a process and asks no gate: run \`hookgate enable codex\` again`,
    ])
  })

  it('reports that the installation is gone which hooks start without a gate', () => {
    const written = (bin: string, client = import.meta.filename) =>
      hookScript(
        { kind: 'node', command: [client], assignments: [], shell: ['/bin/sh'] },
        { agent: 'codex', event: 'Stop', folder: '/f', socket: '/s', version: version(), node: process.execPath, bin },
      )
    expect(installationGone('codex', [written(process.execPath)])).toEqual([])
    expect(installationGone('codex', [written('/gone/a\nb'), written('/gone/a\nb')])).toEqual([
      expect.stringMatching(/start \/gone\/a\nb, which is gone: run `hookgate enable codex` again$/),
    ])
    expect(installationGone('codex', [written('/gone').replace('gate: [', 'gate: [[')])).toEqual([])
    expect(installationGone('codex', [written(process.execPath, "/a b/it's")])).toEqual([
      "its hooks run /a b/it's, which is gone, and refuse everything: run `hookgate enable codex` again",
    ])
  })

  it('reports that two scopes register hookgate twice', () => {
    const scope = (of: 'user' | 'project', state: 'works' | 'absent') =>
      ({ scope: of, place: '', state, events: [], canaries: [], problems: [] }) as const
    expect(registeredTwice([scope('user', 'works'), scope('project', 'works')])).toHaveLength(1)
    expect(registeredTwice([scope('user', 'works'), scope('user', 'works'), scope('project', 'absent')])).toEqual([])
  })
})
