import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call, Turn } from './model/script.ts'
import { programOf } from './pins.ts'
import { type Inside, type World, worldOf } from './world.ts'

/** Types into the program that was started last. */
const typed = ({ heard }: Inside, chars: string): Call => ({
  tool: 'write_stdin',
  get input() {
    const [, session_id] = [...(heard().at(-1) ?? '').matchAll(/session ID (\d+)/g)].at(-1) ?? []
    return { session_id: Number(session_id ?? 0), chars, yield_time_ms: 500 }
  },
})

const start: Call = { tool: 'exec_command', input: { cmd: 'sh', tty: true, yield_time_ms: 500 } }

describe.runIf(programOf('codex'))('what the model of Codex types into a running program', () => {
  let world: World
  beforeAll(async () => {
    world = await worldOf('codex', [])
  })
  afterAll(() => world.close())

  // The rules of the test refuse `touch refused` as a command.
  const turns = (inside: Inside): readonly Turn[] => [
    { calls: [start] },
    { calls: [typed(inside, 'touch refused\n')] },
    { calls: [typed(inside, 'exit\n')] },
  ]

  it('reaches no hook', async () => {
    const ran = await world.run((inside) => ({ main: turns(inside) }))
    expect(ran.made('refused')).toBe(true)
    expect((await ran.status()).stdout).toContain('unified_exec_tty')
  })

  it('is typed into nothing where the feature for terminals is off', async () => {
    const args = ['-c', 'features.unified_exec_tty=false']
    const ran = await world.run((inside) => ({ main: turns(inside) }), {}, { args })
    expect(ran.made('refused')).toBe(false)
  })
})
