import { expect, it } from 'vitest'
import { askGate } from '../../../src/service/server/ask-gate.ts'
import { kill, residentUser } from '../../support/resident.ts'
import { rulesWith } from '../../support/workspace.ts'
import { stopRefusalsMax } from '../../../src/gate/memory/stop-refusals.ts'

it('the end of a turn is allowed after repeated refusals, even by different gates and processes', async () => {
  const user = residentUser({
    'home/.config/hookgate/hooks.json': rulesWith('Stop', 'cat >/dev/null; echo again >&2; exit 2'),
  })
  const body = JSON.stringify({
    session_id: 's',
    transcript_path: null,
    cwd: user.folder,
    hook_event_name: 'Stop',
    model: 'm',
    permission_mode: 'default',
    stop_hook_active: true,
    last_assistant_message: 'done',
  })
  const byGate = async () =>
    (await askGate(user.places, { to: 'hook', agent: 'codex', body, timeoutMs: 60_000 })).stdout
  const alone = async () => (await user.cli(['run', '--agent', 'codex'], { stdin: body })).stdout
  const up = async () => void (await user.cli(['up']))
  const killed = async () => user.gates().forEach((pid) => kill(pid))
  const answers: string[] = []
  for (const step of [up, byGate, byGate, byGate, killed, alone, alone, up, byGate, byGate, byGate, alone]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    const text = await step()
    if (text !== undefined) answers.push(text)
  }
  const refused = answers.map((text) => text.includes('"block"'))
  expect(refused).toEqual([...Array.from({ length: stopRefusalsMax }, () => true), false])
})
