import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/index.ts'
import { canaryHeardBy, canaryPrefix } from '../../src/model/canary.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

describe('a canary', () => {
  it('is refused by whatever gate hears it, though the rules allow it, and starts no hook', async () => {
    const folder = folderWith()
    const rules = folderWith({
      'hooks.json': rulesWith('PreToolUse', `touch ${folder}/ran; echo '{"decision":"approve"}'`),
    })
    const gate = createGate({ rules: [`${rules}/hooks.json`], discover: false })
    const id = `${canaryPrefix}1`
    const claude = await gate.answer(claudeShell('ls', folder, { session_id: id }))
    const cline = await gate.answer({ ...clineTool('read_file', {}, folder), taskId: id })
    const other = await gate.answer(claudeShell('ls', folder))
    await gate.close()
    expect(claude.exitCode).toBe(2)
    expect(claude.verdict).toMatchObject({ decision: 'deny', evaluations: [] })
    expect([claude, cline].map(({ stdout }) => canaryHeardBy(stdout, id))).toEqual([process.pid, process.pid])
    expect(other.verdict?.decision).toBe('allow')
  })

  it('is not heard in what somebody else says of it', () => {
    expect(canaryHeardBy(`got ${canaryPrefix}1`, `${canaryPrefix}1`)).toBeUndefined()
    expect(canaryHeardBy(`hookgate hears ${canaryPrefix}2 in process 5`, `${canaryPrefix}1`)).toBeUndefined()
  })
})
