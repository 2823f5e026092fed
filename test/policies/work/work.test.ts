import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../../support/shipped-gate.ts'
import { type Call, titleOf } from '../../support/work-kinds.ts'
import { days } from './days.ts'
import { fetched } from './fetched.ts'
import { forges } from './forges.ts'
import { files, servers } from './kinds-unseen.ts'
import { neighbours } from './neighbours.ts'
import { openedData } from './opened-data.ts'
import { publishing } from './publishing.ts'
import { secretFiles } from './secret-files.ts'
import { settings } from './settings.ts'
import { shells } from './shells.ts'
import { writtenCommands } from './written-commands.ts'

const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

const decisionOn = async (call: Call) =>
  (typeof call === 'string' ? await gate.verdictOn(call) : await gate.verdictOnTool(...call)).decision

const kinds = [
  neighbours,
  forges,
  publishing,
  openedData,
  fetched,
  secretFiles,
  settings,
  shells,
  days,
  files,
  servers,
  writtenCommands,
].flat()
const titled = (calls: readonly Call[]) => calls.map((call) => [titleOf(call), call] as const)

describe.each(kinds)('$kind', ({ stopped, free }) => {
  it.each(titled(stopped))('a person is asked about %s', async (_, call) => {
    expect(['ask', 'deny']).toContain(await decisionOn(call))
  })

  it.each(titled(free))('nobody is asked about %s', async (_, call) => {
    expect(await decisionOn(call)).toBe('abstain')
  })
})
