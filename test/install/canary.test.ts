import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sendCanary } from '../../src/install/canary.ts'
import { createGate } from '../../src/library/index.ts'
import { canaryAnsweredBy, canaryPrefix } from '../../src/model/heartbeat.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { claudeShell, clineTool } from '../support/wire.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

describe('a canary', () => {
  it('is denied by every gate that receives it, even if the rules allow it, and starts no hook', async () => {
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
    expect([claude, cline].map(({ stdout }) => canaryAnsweredBy(stdout, id))).toEqual([process.pid, process.pid])
    expect(other.verdict?.decision).toBe('allow')
  })

  it('is not recognised in another answer', () => {
    expect(canaryAnsweredBy(`got ${canaryPrefix}1`, `${canaryPrefix}1`)).toBeUndefined()
    expect(canaryAnsweredBy(`hookgate received ${canaryPrefix}2 in process 5`, `${canaryPrefix}1`)).toBeUndefined()
  })
})

describe('a port where the gate does not listen', () => {
  it('proves nothing, even if it answers as a gate would, and is not sent the token', async () => {
    const sent: unknown[] = []
    const impostor = createServer((request, response) => {
      sent.push(request.headers.authorization)
      let text = ''
      request.on('data', (piece: Buffer) => (text += piece.toString()))
      const session = () => /"session_id":"([^"]*)"/.exec(text)?.[1] ?? ''
      request.on('end', () => response.end(`hookgate received ${session()} in process 1`))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void impostor.close())
    await once(impostor, 'listening')
    // oxlint-disable-next-line no-unsafe-type-assertion -- what listens at a port has one
    const { port } = impostor.address() as AddressInfo
    const places = placesOf({ env: { HOOKGATE_HOME: folderWith() }, platform: 'linux', uid: 0, home: '/' })
    const url = `http://127.0.0.1:${port}/claude-code`
    const post = { url, headers: { authorization: 'Bearer secret' } }
    const canary = await sendCanary('claude-code', { places, cwd: '/' }, { post })
    expect(canary).toMatchObject({ answered: false, problem: expect.stringContaining('the gate is not running') })
    expect(sent).toEqual([])
  })
})
