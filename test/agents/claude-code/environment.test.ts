import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dialect } from '../../../src/agents/claude-code/wire.ts'
import type { HookEvent } from '../../../src/model/event.ts'
import type { CommandHandler } from '../../../src/model/rule.ts'
import { claudeHookEvent } from '../../support/claude-wires.ts'
import { missing } from '../../support/own-folder.ts'

const handler: CommandHandler = {
  kind: 'command',
  dialect: 'claude-code',
  program: { form: 'shell', shell: 'sh', command: 'true' },
  env: {},
  plainTextEvents: [],
  async: false,
}
const event = claudeHookEvent('PreToolUse')
const clineEvent: HookEvent = { ...event, agent: 'cline', workspaceRoots: ['/home/someone/task'] }

describe('the environment of a hook', () => {
  it("is the inherited one plus Claude Code's variables", () => {
    expect(dialect.environment(event, handler, { PATH: '/bin', LANG: 'C' }).env).toEqual({
      PATH: '/bin',
      LANG: 'C',
      CLAUDECODE: '1',
      CLAUDE_PROJECT_DIR: '/home/someone/app',
      CLAUDE_CODE_SESSION_ID: event.session.id,
      CLAUDE_EFFORT: 'high',
    })
  })

  it('has none of the telemetry settings and no variable without a value', () => {
    const { env } = dialect.environment(event, handler, {
      OTEL_EXPORTER: 'x',
      OTEL_: 'y',
      NOTEL: 'z',
      EMPTY: undefined,
    })
    expect(Object.keys(env)).not.toContain('OTEL_EXPORTER')
    expect(Object.keys(env)).not.toContain('OTEL_')
    expect(Object.keys(env)).not.toContain('EMPTY')
    expect(env['NOTEL']).toBe('z')
  })

  it('keeps the project folder that Claude Code set', () => {
    expect(dialect.environment(event, handler, { CLAUDE_PROJECT_DIR: '/project' }).env['CLAUDE_PROJECT_DIR']).toBe(
      '/project',
    )
  })

  it.each(['relative', ''])(
    'has the workspace root instead of a project folder that is not an absolute path: `%s`',
    (named) => {
      const { env } = dialect.environment(event, handler, { CLAUDE_PROJECT_DIR: named })
      expect(env['CLAUDE_PROJECT_DIR']).toBe('/home/someone/app')
    },
  )

  it('has the workspace root of another agent, even inside a Claude Code session', () => {
    const { env } = dialect.environment(clineEvent, handler, {
      CLAUDE_PROJECT_DIR: '/old',
      CLAUDE_CODE_SESSION_ID: 'old',
    })
    expect(env['CLAUDE_PROJECT_DIR']).toBe('/home/someone/task')
    expect(env['CLAUDE_CODE_SESSION_ID']).toBe(event.session.id)
  })

  it('has no effort where the event has none', () => {
    const { env } = dialect.environment(claudeHookEvent('SessionStart'), handler, { CLAUDE_EFFORT: 'max' })
    expect(env).not.toHaveProperty('CLAUDE_EFFORT')
  })

  it('is overridden by the hook’s own variables', () => {
    const { env } = dialect.environment(event, { ...handler, env: { CLAUDE_PLUGIN_ROOT: '/p', CLAUDECODE: '2' } }, {})
    expect(env).toMatchObject({ CLAUDE_PLUGIN_ROOT: '/p', CLAUDECODE: '2' })
  })
})

const folderOf = (cwd: string, root: string) =>
  dialect.environment({ ...event, session: { ...event.session, cwd }, workspaceRoots: [root] }, handler, {}).cwd

describe('the working directory of a hook', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hookgate-environment-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('is the session’s working directory', () => {
    expect(folderOf(folder, '/')).toBe(folder)
  })

  it('is the workspace root if that was deleted', () => {
    expect(folderOf(join(folder, 'gone'), folder)).toBe(folder)
  })

  it.each([missing, '', 'relative', '/nul\0byte', '/dev/null'])('is the home folder if neither exists: %j', (gone) => {
    expect(folderOf(gone, gone)).toBe(homedir())
  })
})
