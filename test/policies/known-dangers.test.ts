import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../support/shipped-gate.ts'

// Tables of commands by what they do. In each line, the first character says what `recommended` answers:
//   D  a danger that is refused or asked about
//   E  an everyday command that passes
//   ?  a danger that passes still, since nothing is known of its program: once it is gated, the line has to become D
// `\n` is a line break; lines that begin with # are comments.

const folder = fileURLToPath(new URL('../fixtures/dangers/', import.meta.url))
const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

const rowsOf = (file: string) =>
  readFileSync(`${folder}${file}`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ mark: line.charAt(0), command: line.slice(2).replaceAll(String.raw`\n`, '\n') }))

const decisionOn = async (command: string) => (await gate.verdictOn(command)).decision

describe.each(readdirSync(folder).filter((name) => name.endsWith('.txt')))('%s', (file) => {
  const rows = rowsOf(file)
  const of = (mark: string) => rows.filter((row) => row.mark === mark).map((row) => row.command)

  it('has lines of the three kinds alone', () => {
    expect(rows.filter(({ mark }) => !/[DE?]/.test(mark))).toEqual([])
  })

  it.each(of('D'))('gates %s', async (command) => {
    expect(await decisionOn(command)).toMatch(/^(?:deny|ask)$/)
  })

  it.each(of('E'))('lets pass %s', async (command) => {
    expect(await decisionOn(command)).toBe('abstain')
  })

  it('has only dangers that pass still among those that are left to do', async () => {
    const decisions = await Promise.all(
      of('?').map(async (command) => ({ command, decision: await decisionOn(command) })),
    )
    expect(decisions.filter(({ decision }) => decision !== 'abstain')).toEqual([])
  })
})
