import { describe, expect, it } from 'vitest'
import { dialect as cline } from '../../../src/agents/cline/wire.ts'
import { lastResortBy } from '../../../src/agents/last-resort.ts'
import { lastResortTable } from '../../../src/agents/last-resort-table.ts'
import { surroundings, wires } from '../../support/cline-events.ts'

const lastResort = (hookName: string | undefined, message: string) =>
  lastResortBy(lastResortTable.cline).respond({ hookName }, message)

describe('the last resort', () => {
  it.each([...wires.classic, ...wires.sdk])('refuses exactly where Cline honors a refusal: $hookName', (wire) => {
    const { deny } = cline.support(cline.decodeEvent(wire, surroundings))
    expect(lastResort(wire.hookName, 'm').stdout).toContain(deny === 'native' ? '"cancel":true' : '"cancel":false')
  })

  it('refuses with JSON and exit code 0, since Cline discards the output of a failed hook', () => {
    expect(lastResort('PreToolUse', 'the rules cannot be read')).toEqual({
      stdout: '{"cancel":true,"errorMessage":"the rules cannot be read"}\n',
      stderr: 'the rules cannot be read\n',
      exitCode: 0,
    })
  })

  it('reports by failing, since Cline shows nothing else of such a hook', () => {
    expect(lastResort('TaskComplete', 'the rules cannot be read')).toEqual({
      stdout: '{"cancel":false}\n',
      stderr: 'the rules cannot be read\n',
      exitCode: 1,
    })
  })

  it.each([undefined, '', 'TaskPause', 'constructor', '__proto__'])('refuses an unknown event: %s', (hookName) => {
    expect(lastResort(hookName, 'm')).toMatchObject({ stdout: '{"cancel":true,"errorMessage":"m"}\n', exitCode: 0 })
  })

  it('prints one line without terminal control characters', () => {
    expect(lastResort('PreToolUse', 'two\nlines\u001b[2J\u009b and a bell\u0007 ').stderr).toBe(
      'two lines [2J and a bell\n',
    )
    expect(lastResort('PreToolUse', 'turned\u202eround\u2028here').stderr).toBe('turned round here\n')
  })
})
