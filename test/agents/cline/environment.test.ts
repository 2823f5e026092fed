import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { dialect as cline } from '../../../src/agents/cline/wire.ts'
import type { HookEvent } from '../../../src/model/event.ts'
import type { CommandHandler, Program } from '../../../src/model/rule.ts'
import { classicWire, clineHook, surroundings } from '../../support/cline-events.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-cline-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const folder = (name: string) => {
  const path = join(base, name)
  mkdirSync(path, { recursive: true })
  return path
}
const [app, app2, elsewhere] = [folder('app'), folder('app2'), folder('elsewhere')]
const gone = join(base, 'gone')
const file = join(base, 'file')
writeFileSync(file, '')

const eventIn = (...workspaceRoots: readonly string[]): HookEvent =>
  cline.decodeEvent(classicWire('TaskResume', { workspaceRoots }), { ...surroundings, cwd: elsewhere })
const script = (path: string): CommandHandler => ({ ...clineHook, program: { form: 'script', file: path } })
const hookOf = (root: string) => script(join(root, '.clinerules', 'hooks', 'TaskResume'))
const globalHook = script('/home/ada/Documents/Cline/Hooks/TaskResume')
const cwdOf = (event: HookEvent, handler: CommandHandler) => cline.environment(event, handler, {}).cwd

describe('a Cline hook’s working directory', () => {
  it('is the primary root for a global hook', () => {
    expect(cwdOf(eventIn(app, app2), globalHook)).toBe(app)
  })

  it('is the root of the workspace that the hook belongs to', () => {
    expect(cwdOf(eventIn(app, app2), hookOf(app2))).toBe(app2)
    expect(cwdOf(eventIn(app2, app), hookOf(app))).toBe(app)
    expect(cwdOf(eventIn(app, app2), script(join(app2, '.clinerules/hooks/lib/TaskResume')))).toBe(app2)
  })

  it('is not a root whose name merely has the same prefix', () => {
    expect(cwdOf(eventIn(app2, app), script(join(app, '.clinerules/hooks2/TaskResume')))).toBe(app2)
    expect(cwdOf(eventIn(app2, app), script(join(app, '.clinerules/TaskResume')))).toBe(app2)
  })

  const command: Program = { form: 'shell', shell: 'sh', command: join(app2, '.clinerules/hooks/TaskResume') }
  it('is the primary root for a hook that is a command', () => {
    expect(cwdOf(eventIn(app, app2), { ...clineHook, program: command })).toBe(app)
  })

  it('is the agent’s own where there is no root', () => {
    expect(cwdOf(eventIn(), globalHook)).toBe(elsewhere)
  })

  it('is a folder that exists', () => {
    expect(cwdOf(eventIn(gone, app), hookOf(gone))).toBe(homedir())
    expect(cwdOf(eventIn(app, gone), hookOf(gone))).toBe(app)
    expect(cwdOf(eventIn(file), globalHook)).toBe(homedir())
    expect(cwdOf(eventIn(`${app}\0`), globalHook)).toBe(homedir())
  })
})

describe('a Cline hook’s environment', () => {
  it('is the gate’s whole environment plus the rule’s own variables', () => {
    const handler = { ...clineHook, env: { B: 'rule', C: 'rule' } }
    expect(cline.environment(eventIn(app), handler, { A: 'gate', B: 'gate', D: undefined }).env).toEqual({
      A: 'gate',
      B: 'rule',
      C: 'rule',
    })
  })
})
