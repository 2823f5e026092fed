import { describe, expect, it } from 'vitest'
import { cline } from '../../../src/agents/cline/dialect.ts'
import { lastResort, lastResortTable } from '../../../src/agents/cline/last-resort.ts'
import { surroundings, wires } from '../../support/cline-events.ts'

describe('the last resort', () => {
  it.each(Object.values(wires).flat())('has an answer for every event that Cline sends: $hookName', (wire) => {
    expect(lastResortTable).toHaveProperty(wire.hookName)
  })

  it.each([...wires.classic, ...wires.sdk])('refuses exactly where Cline heeds a refusal: $hookName', (wire) => {
    const { deny } = cline.support(cline.decodeEvent(wire, surroundings))
    expect(lastResortTable[wire.hookName]).toBe(deny === 'native' ? 'refuse' : 'report')
  })

  it('refuses by JSON and exit code 0, since Cline throws away what a hook printed that failed', () => {
    expect(lastResort('PreToolUse', 'the rules cannot be read')).toEqual({
      stdout: '{"cancel":true,"errorMessage":"the rules cannot be read"}\n',
      stderr: 'the rules cannot be read\n',
      exitCode: 0,
    })
  })

  it('reports by failing, which is all that Cline shows of such a hook', () => {
    expect(lastResort('TaskComplete', 'the rules cannot be read')).toEqual({
      stdout: '{"cancel":false}\n',
      stderr: 'the rules cannot be read\n',
      exitCode: 1,
    })
  })

  it.each([undefined, '', 'TaskPause', 'constructor', '__proto__'])('refuses what it does not know: %s', (hookName) => {
    expect(lastResort(hookName, 'm')).toMatchObject({ stdout: '{"cancel":true,"errorMessage":"m"}\n', exitCode: 0 })
  })

  it('says one line that a terminal can show', () => {
    expect(lastResort('PreToolUse', 'two\nlines\u001b[2J\u009b and a bell\u0007 ').stderr).toBe(
      'two lines [2J and a bell\n',
    )
    expect(lastResort('PreToolUse', 'turned\u202eround\u2028here').stderr).toBe('turned round here\n')
  })
})
