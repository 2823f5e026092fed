import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Gate, type GateOptions } from '../../../src/gate/gate.ts'
import { indeterminate, type Outcome } from '../../../src/model/evaluation.ts'
import { limits } from '../../../src/model/limits.ts'
import { openDecidedHooks, decidedHooksMax } from '../../../src/gate/gate-memory.ts'
import { planOf, ruleNamed } from '../../support/plans.ts'
import { claudeEvent, claudeShell } from '../../support/wire.ts'
import { folderWith, rulesWith } from '../../support/workspace.ts'

/** Refuses a push and the end of a turn. Of a loud event, its refusal ends behind what hookgate reads. */
const guard = `
event=$(cat)
case $event in *push*|*Stop*) ;; *) exit 0 ;; esac
printf '{"padding": "'
case $event in *loud*) head -c ${limits.hookOutputBytesMax} /dev/zero | tr '\\0' x ;; esac
printf '", "decision": "block", "reason": "no"}'
`

function guarded(event = 'PreToolUse', more: object = {}) {
  const root = folderWith({ 'hooks.json': rulesWith(event, 'sh ./guard.sh', { ...more }), 'guard.sh': guard })
  const rules = [join(root, 'hooks.json')]
  return {
    root,
    gate: (options: GateOptions = {}): Gate => {
      const gate = createGate({
        placement: 'caller',
        rules,
        discover: false,
        home: root,
        managedFolder: root,
        ...options,
      })
      onTestFinished(() => gate.close())
      return gate
    },
  }
}

const verdictOn = async (gate: Gate, wire: object) => gate.decide(await gate.decode({ ...wire }))

const tooMuch = 'printed more than 1,048,576 bytes to stdout and was killed'

describe('a hook that prints more than hookgate reads', () => {
  it('has failed, and its event goes on with a notice, if it has never decided', async () => {
    const { root, gate } = guarded()
    const verdict = await verdictOn(gate(), claudeShell('git push # loud', root))
    expect(verdict).toMatchObject({ decision: 'abstain', notices: [expect.stringContaining(tooMuch)] })
  })

  it('has its event refused if it has decided before: a refusal may stand in what was not read', async () => {
    const { root, gate } = guarded()
    const one = gate()
    expect(await verdictOn(one, claudeShell('git push', root))).toMatchObject({ decision: 'deny' })
    const loud = await verdictOn(one, claudeShell('git push # loud', root))
    expect(loud).toMatchObject({ decision: 'deny', evaluations: [{ failure: { code: 'decisionLost' } }] })
    expect(loud.reason).toContain(`${tooMuch}; it has decided before, so a decision may be lost: have it print less (`)
    expect(loud.reason).not.toContain('onFailure')
    expect(await verdictOn(one, claudeShell('ls', root))).toMatchObject({ decision: 'abstain' })
  })

  it('the same if it has refused in another process', async () => {
    const { root, gate } = guarded()
    const state = join(folderWith(), 'state')
    await verdictOn(gate({ state }), claudeShell('git push', root))
    const loud = await verdictOn(gate({ state }), claudeShell('git push # loud', root))
    expect(loud.decision).toBe('deny')
    expect(loud.evaluations.at(-1)).toMatchObject({ failure: { code: 'decisionLost' } })
    const other = guarded()
    const theirs = await verdictOn(other.gate({ state }), claudeShell('git push # loud', other.root))
    expect(theirs.decision).toBe('abstain')
  })

  it('has its event refused from the first on with `onFailure: block`', async () => {
    const { root, gate } = guarded('PreToolUse', { onFailure: 'block' })
    const verdict = await verdictOn(gate(), claudeShell('git push # loud', root))
    expect(verdict).toMatchObject({ decision: 'deny', evaluations: [{ failure: { code: 'outputTooLarge' } }] })
  })

  it('is remembered for the latest hooks that decided', () => {
    const hooks = openDecidedHooks()
    const settled = (id: string, outcome: Outcome) =>
      hooks.settle(planOf(ruleNamed(id)), [{ ...outcome, ruleId: id, durationMs: 1 }])[0]
    const tooLarge = indeterminate({ code: 'outputTooLarge', message: tooMuch })
    const denied: Outcome = { kind: 'applicable', effect: 'deny', obligations: [], advice: [] }
    settled('first', denied)
    for (let index = 1; index < decidedHooksMax; index += 1) settled(`hook ${index}`, denied)
    expect(settled('first', tooLarge)).toMatchObject({ failure: { code: 'decisionLost' } })
    settled('one more', denied)
    expect(settled('first', tooLarge)).toMatchObject({ failure: { code: 'outputTooLarge' } })
    expect(settled('one more', tooLarge)).toMatchObject({ failure: { code: 'decisionLost' } })
  })

  it('does not keep an agent going that is about to stop', async () => {
    const { root, gate } = guarded('Stop')
    const one = gate()
    const stop = (message: string) => claudeEvent('Stop', root, { stop_hook_active: false, last_message: message })
    expect(await verdictOn(one, stop('done'))).toMatchObject({ decision: 'deny' })
    const loud = await verdictOn(one, stop('loud'))
    expect(loud).toMatchObject({ decision: 'abstain', evaluations: [{ failure: { code: 'decisionLost' } }] })
  })
})
