import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { AgentDescriptor } from '../../src/agents/descriptor.ts'
import type { OwnInstall } from '../../src/agents/install/install.ts'
import { agents } from '../../src/agents/registry.ts'
import { agentNamed } from '../../src/facts/programs/may-start.ts'
import { launches } from '../real-agents/launch/index.ts'
import { openShippedGate } from '../support/shipped-gate.ts'

it.each(Object.values(launches))(
  '$name is known to the facts as the program of an agent, whose operands are a prompt',
  ({ name }) => {
    expect(agentNamed(name)).toBe(name)
  },
)

const home = '/home/u'
const cwd = join(home, 'project')
const gate = openShippedGate(home)
afterAll(() => gate.close())

/** Files that hookgate writes by code of its own in `src/install`. */
const ownFiles: Readonly<Record<OwnInstall['kind'], readonly string[]>> = {
  'http-groups': [join(home, '.claude/settings.json'), join(cwd, '.claude/settings.json')],
  'hook-folders': [join(home, 'Documents/Cline/Hooks/PreToolUse'), join(cwd, '.clinerules/hooks/PreToolUse')],
}

const settings = {
  exists: () => false,
  text: () => undefined,
  json: () => undefined,
  toml: () => undefined,
  list: () => [],
}

function installedFiles({ install }: AgentDescriptor): readonly string[] {
  const sites = (['user', 'project'] as const).map(
    (scope) => ({ scope, env: {}, cwd, home, platform: 'linux', settings }) as const,
  )
  switch (install.kind) {
    case 'hooks-file':
      return sites.flatMap((site) => install.files(site).map(({ file }) => file))
    case 'plugin':
      return sites.map(install.file)
    case 'http-groups':
    case 'hook-folders':
      return ownFiles[install.kind]
  }
}

const filesIn = (folder: string) => [join(home, folder, 'a'), join(cwd, folder, 'a')]
const cases = agents.flatMap((agent) =>
  installedFiles(agent)
    .concat(agent.folders.flatMap(filesIn))
    .map((file) => ({ agent: agent.name, file })),
)

it.each(cases)('protected-paths asks before $file of $agent is written', async ({ file }) => {
  expect((await gate.judge(`echo a > '${file}'`, cwd)).asked).toContain('agent-configuration')
})

const folders = agents.flatMap(({ name, folders: all }) => all.map((folder) => ({ agent: name, folder })))

it.each(folders)('protected-paths lets $agent keep records in $folder', async ({ folder }) => {
  for (const file of ['.DS_Store', 'hooks/a.log', 'state/a.json', 'backups/settings.json'])
    // oxlint-disable-next-line no-await-in-loop -- one gate decides them one after the other
    expect((await gate.judge(`cp a '${folder}/${file}'`, cwd)).asked).not.toContain('agent-configuration')
})

it.each(folders)('protected-paths asks before what runs in $folder of $agent is written', async ({ folder }) => {
  for (const file of ['hooks/a.txt', 'state/a.sh', 'skills/a/tmp/SKILL.md', 'settings.json', 'AGENTS.md'])
    // oxlint-disable-next-line no-await-in-loop -- one gate decides them one after the other
    expect((await gate.judge(`cp a '${folder}/${file}'`, cwd)).asked).toContain('agent-configuration')
})
