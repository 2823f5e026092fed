import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { KeptStep, StateDeclaration } from '../../src/model/past.ts'
import { openStepDatabase } from '../../src/past/database.ts'
import { openFold } from '../../src/past/fold.ts'
import { Past } from '../../src/past/past.ts'
import { folderWith } from '../support/workspace.ts'

const program = fileURLToPath(new URL('../fixtures/past-process.ts', import.meta.url))

/** Starts a process that decides calls; `lines` are what it has printed. */
function deciding(file: string, session: string, calls: number, cap: number) {
  const child = spawn(process.execPath, [program, file, session, String(calls), String(cap)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return {
    child,
    lines: () => text.split('\n').filter((line) => line !== '' && line !== 'ready'),
    ended: once(child, 'close'),
    printed: async (wanted: number) => {
      // oxlint-disable-next-line no-await-in-loop -- waits for the event itself
      while (text.split('\n').length <= wanted && child.exitCode === null) await once(child.stdout, 'data')
    },
  }
}

const user = { kind: 'user', id: '' } as const

describe('several processes that share a past', () => {
  it('let through as many calls of a session as there may be, and not one more', async () => {
    const file = join(folderWith(), 'past.db')
    const some = [1, 2, 3].map(() => deciding(file, 's', 20, 10))
    await Promise.all(some.map(({ ended }) => ended))
    const said = some.flatMap(({ lines }) => lines())
    expect(said).toHaveLength(60)
    expect(said.filter((one) => one === 'allowed')).toHaveLength(10)
  })

  it('leave whole steps when they are killed, from which every state is what a fold from the beginning says', async () => {
    const file = join(folderWith(), 'past.db')
    const some = ['a', 'a', 'b'].map((session) => deciding(file, session, 400, 1_000_000))
    await Promise.all(some.map(({ printed }) => printed(60)))
    for (const { child } of some) child.kill('SIGKILL')
    await Promise.all(some.map(({ ended }) => ended))
    const store = openStepDatabase(file)
    const past = new Past(store)
    onTestFinished(() => past.close())
    const steps = store.after(user, 0)
    const told = some.reduce((sum, { lines }) => sum + lines().length, 0)
    // A step is kept before its call is answered, so a kill may leave one that nobody was told of.
    expect(steps.length).toBeGreaterThanOrEqual(told)
    expect(steps.length).toBeLessThanOrEqual(told + some.length)
    const declarations: readonly StateDeclaration[] = [
      { kind: 'count', of: {} },
      { kind: 'count', of: {}, by: 'call' },
      { kind: 'count', of: {}, scope: 'user' },
      { kind: 'last', of: {}, scope: 'workspace' },
    ]
    for (const session of ['a', 'b']) {
      const about = steps.findLast((step) => step.session === session)
      if (about === undefined) throw new Error('the session has no steps')
      for (const declaration of declarations) {
        if (declaration.kind === 'custom' || declaration.kind === 'reused') continue
        const own = (step: KeptStep) => declaration.scope !== undefined || step.session === session
        const fold = openFold(declaration)
        for (const step of steps.filter(own)) fold.add(step)
        const reading = past.viewFor(about).read({ rule: 'r', name: 's', declaration, code: '' })
        expect(reading).toEqual({ kind: 'value', value: fold.valueFor(about, about.atMs) })
      }
    }
  })

  it.each([
    ['is no database', 'this is no database, but long enough to be taken for one'],
    ['is cut off', 'SQLite format 3\0'],
  ])('a file that %s is not taken for a past in which nothing happened', (_, content) => {
    const file = join(folderWith(), 'past.db')
    writeFileSync(file, content)
    expect(() => openStepDatabase(file)).toThrow(/the file of earlier calls cannot be read/)
  })

  it('a step that cannot be kept is an error that names the file', () => {
    const file = join(folderWith(), 'past.db')
    const store = openStepDatabase(file)
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    const database = new DatabaseSync(file)
    database.exec('DROP TABLE steps')
    database.close()
    const step = {
      atMs: 0,
      agent: 'a',
      session: 's',
      workspace: '/',
      outcome: 'allowed',
      text: '',
      key: '',
      commands: [],
      impacts: [],
      paths: [],
      hosts: [],
    } as const
    const kept = () => store.append(step)
    expect(kept).toThrow(
      expect.objectContaining({
        place: { file },
        message: 'the call cannot be kept for later ones: no such table: steps',
      }),
    )
    store.close()
  })

  it('a file of a newer hookgate is left as it is', () => {
    const file = join(folderWith(), 'past.db')
    openStepDatabase(file).close()
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 99')
    database.close()
    expect(() => openStepDatabase(file)).toThrow(/a newer hookgate has made it/)
  })
})
