/* oxlint-disable no-await-in-loop -- one request after the other is the point */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createShared } from '../../../src/service/server/http/listener.ts'
import { ask, headOf, listening, sayRaw, wireTo } from '../../support/server.ts'
import { claudeEvent, claudeShell, clineTool } from '../../support/wire.ts'
import { answers, folderWith, rulesWith } from '../../support/workspace.ts'

const denies = answers({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not here' },
})

/** Creates a workspace with one hook, and the gate's options to load it. */
function hookFolder(event: string, hook: { readonly script: string }, more = {}) {
  const root = folderWith({ 'hook.sh': hook, 'hooks.json': rulesWith(event, './hook.sh', more) })
  return { root, gate: { rules: [join(root, 'hooks.json')] } }
}

describe.each(['tcp', 'unix'] as const)('over %s', (kind) => {
  it("answers an agent's event as an HTTP hook: its JSON or an empty body, with status 200", async () => {
    const { root, gate } = hookFolder('PreToolUse', denies, { matcher: 'Bash' })
    const listener = await listening({ kind, gate })
    const refused = await ask(listener, '/claude-code', { body: claudeShell('ls', root) })
    expect(refused.status).toBe(200)
    expect(refused.json()).toMatchObject({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    })
    const silent = await ask(listener, '/claude-code', {
      body: claudeShell('ls', root, { tool_name: 'Other', tool_input: {} }),
    })
    expect(silent).toMatchObject({ status: 200, body: '' })
    const cline = await ask(listener, '/cline', { body: clineTool('execute_command', { command: 'ls' }, root) })
    expect(cline.status).toBe(200)
    expect(cline.json()).toMatchObject({ cancel: true, errorMessage: expect.stringContaining('not here') })
  })

  it('closes each agent’s connection, since a stale one would fail an event', async () => {
    const listener = await listening({ kind })
    const body = JSON.stringify(claudeShell('ls', '/'))
    for (const path of ['/claude-code', '/v1/hook/claude-code']) {
      const head = headOf(listener, `POST ${path}`, `content-length: ${body.length}`)
      expect(await sayRaw(listener, `${head}\r\n${body}`)).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
    }
  })

  it('sends the thin client stdout, stderr and the exit code, split by headers', async () => {
    const { root, gate } = hookFolder('PreToolUse', answers({ decision: 'block', reason: 'ün–not hère' }))
    const listener = await listening({ kind, gate })
    const { status, headers, body } = await ask(listener, '/v1/hook/claude-code', { body: claudeShell('ls', root) })
    expect(status).toBe(200)
    expect(headers['hookgate-exit-code']).toBe('2')
    const bytes = Buffer.from(body)
    expect(headers['content-length']).toBe(String(bytes.length))
    const stderrBytes = Number(headers['hookgate-stderr-bytes'])
    expect(JSON.parse(bytes.subarray(0, bytes.length - stderrBytes).toString())).toHaveProperty('hookSpecificOutput')
    expect(bytes.subarray(bytes.length - stderrBytes).toString()).toMatch(/^ün–not hère .*\n$/)
  })

  it('answers a client with a missing or wrong content type', async () => {
    const listener = await listening({ kind })
    for (const type of [undefined, 'application/x-www-form-urlencoded', '///', 'text/event-stream;;;']) {
      const answer = await ask(listener, '/v1/hook/claude-code', {
        headers: { 'content-type': type },
        body: claudeShell('ls', '/'),
      })
      expect(answer).toMatchObject({ status: 200, body: '', headers: { 'hookgate-exit-code': '0' } })
    }
  })

  it('answers an HTTP/1.0 client without a host only where no host can be forged', async () => {
    const listener = await listening({ kind })
    const body = JSON.stringify(claudeShell('ls', '/'))
    const request = `POST /v1/hook/claude-code HTTP/1.0\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    expect(await sayRaw(listener, request)).toMatch(kind === 'unix' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 403 /)
  })

  it('decides for callers of its own JSON API, and returns the verdict', async () => {
    const { root, gate } = hookFolder('PreToolUse', denies)
    const listener = await listening({ kind, gate })
    const event = claudeShell('ls', root)
    const id = `explicit:${gate.rules[0]}#PreToolUse[0].hooks[0]`
    for (const body of [{ event }, { event, agent: 'claude-code' }]) {
      const { status, json } = await ask(listener, '/v1/decide', { body })
      expect(status).toBe(200)
      expect(json()).toMatchObject({ decision: 'deny', cancel: true, determining: [id], evaluations: [{ ruleId: id }] })
    }
  })

  it('tells a caller of an unrecognised event to name the agent in a field, not by a flag', async () => {
    const listener = await listening({ kind })
    const answer = await ask(listener, '/v1/decide', { body: { event: { who: 'knows' } } })
    const message = expect.stringMatching(
      /^the event does not say [^;]*; name it in the field `agent`: `claude-code`, /,
    )
    expect(answer.json()).toMatchObject({ reason: message, error: { code: 'agentUnknown', message } })
    expect(answer.body).not.toContain('--agent')
  })

  it('reports its identity, and the rules in force', async () => {
    const { gate } = hookFolder('PreToolUse', denies, { matcher: 'Bash', timeout: 5 })
    const listener = await listening({ kind, gate, info: () => ({ startedAt: 'then' }) })
    expect((await ask(listener, '/healthz')).json()).toEqual({
      status: 'ok',
      version: '1.2.3',
      pid: process.pid,
      startedAt: 'then',
    })
    expect((await ask(listener, '/v1/rules?root=/tmp')).json()).toEqual({
      rules: [
        {
          id: `explicit:${gate.rules[0]}#PreToolUse[0].hooks[0]`,
          source: { id: `explicit:${gate.rules[0]}`, scope: 'explicit', file: gate.rules[0] },
          events: ['PreToolUse'],
          matcher: ['Bash'],
          handler: { kind: 'command', dialect: 'claude-code', program: './hook.sh', async: false },
          onFailure: expect.any(String),
          timeoutMs: 5000,
          untrustedReason: null,
        },
      ],
      notes: [],
      alarms: [],
    })
  })

  it('accepts any token where the listener has none, and only its own where it has one', async () => {
    const listener = await listening({ kind })
    const other = await ask(listener, '/healthz', { headers: { authorization: 'Bearer other' } })
    expect(other.status).toBe(kind === 'tcp' ? 401 : 200)
  })
})

describe('failures while an event is decided', () => {
  const malformed = '{"hooks": {"PreToolUse": [\n  {"hooks": [}\n]}}'

  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['half an event', '{"hook_event_name": "PreToolUse", '],
    ['an array', '[]'],
    ['an event without its fields', '{"hook_event_name":"PreToolUse"}'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ])('an agent that sends %s is refused, with status 200', async (_, body) => {
    const listener = await listening()
    const claude = await ask(listener, '/claude-code', { body })
    expect(claude.status).toBe(200)
    expect(JSON.stringify(claude.json())).toMatch(/"(decision":"block|permissionDecision":"deny)/)
    const cline = await ask(listener, '/cline', { body })
    expect([cline.status, cline.json()]).toEqual([200, expect.objectContaining({ cancel: true })])
    const thin = await ask(listener, '/v1/hook/claude-code', { body })
    expect([thin.status, thin.headers['hookgate-exit-code']]).toEqual([200, '2'])
  })

  it('rules that do not load refuse, and are listed at /v1/rules and counted', async () => {
    const root = folderWith({ 'hooks.json': malformed })
    const listener = await listening({ gate: { rules: [join(root, 'hooks.json')] } })
    const refused = await ask(listener, '/claude-code', { body: claudeShell('ls', root) })
    expect(refused.json()).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
    const verdict = await ask(listener, '/v1/decide', { body: { event: claudeShell('ls', root) } })
    expect(verdict.json()).toMatchObject({ decision: 'deny', cancel: true, error: { code: 'rulesMalformed' } })
    const rules = await ask(listener, '/v1/rules')
    expect([rules.status, rules.json()]).toMatchObject([
      422,
      { error: { code: 'rulesMalformed', message: expect.stringContaining('hooks.json:2:14') } },
    ])
    expect((await ask(listener, '/metrics')).body).toContain(
      'hookgate_gate_failures_total{agent="claude-code",code="rulesMalformed"} 1',
    )
  })

  it('encodes for HTTP what a command hook expresses by exit code or plain text', async () => {
    const { root, gate } = hookFolder('TaskCompleted', { script: '#!/bin/sh\necho not done >&2\nexit 2\n' })
    const listener = await listening({ gate })
    const body = claudeEvent('TaskCompleted', root, { task_id: '1', task_subject: 's' })
    expect((await ask(listener, '/claude-code', { body })).json()).toMatchObject({
      continue: false,
      stopReason: expect.stringContaining('not done'),
    })
  })

  it('an event whose client disconnected is cancelled: its hook is killed', async () => {
    const script = `#!/bin/sh\ncat >/dev/null\necho $$ > "$CLAUDE_PROJECT_DIR"/pid\nsleep 60\n`
    const { root, gate } = hookFolder('PreToolUse', { script })
    const listener = await listening({ gate })
    const abort = new AbortController()
    const pending = ask(listener, '/claude-code', { body: claudeShell('ls', root), signal: abort.signal })
    const gone = pending.catch((error: Error) => error.name)
    const pid = () => (existsSync(join(root, 'pid')) ? Number(readFileSync(join(root, 'pid'), 'utf8')) : 0)
    await expect.poll(pid, { timeout: 120_000 }).toBeGreaterThan(0)
    abort.abort()
    expect(await gone).toBe('AbortError')
    const isAlive = () => {
      try {
        return process.kill(pid(), 0)
      } catch {
        return false
      }
    }
    await expect.poll(isAlive, { timeout: 120_000 }).toBe(false)
    await expect.poll(() => listener.shared.admission.underWay).toBe(0)
    const metrics = async () => (await ask(listener, '/metrics')).body
    await expect.poll(metrics).toContain('hookgate_rejected_requests_total{reason="gone"} 1')
  })

  it('refuses events over the limit in their agent’s format, and other requests with 503', async () => {
    const { root, gate } = hookFolder('PreToolUse', {
      script: '#!/bin/sh\ncat >/dev/null\nwhile [ ! -e "$CLAUDE_PROJECT_DIR"/go ]; do sleep 0.05; done\n',
    })
    const listener = await listening({ gate, shared: createShared({ requestsMax: 1 }) })
    const first = ask(listener, '/claude-code', { body: claudeShell('ls', root) })
    await expect.poll(() => listener.shared.admission.underWay).toBe(1)
    const second = await ask(listener, '/claude-code', { body: claudeShell('ls', root) })
    expect(second.json()).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('busy') },
    })
    const thin = await ask(listener, '/v1/hook/cline', { body: clineTool('read_file', { path: 'a' }, root) })
    expect([thin.status, thin.body]).toMatchObject([200, expect.stringContaining('busy')])
    const third = await ask(listener, '/v1/decide', { body: { event: claudeShell('ls', root) } })
    expect([third.status, third.json()]).toMatchObject([503, { error: { code: 'busy', remedy: 'try again' } }])
    writeFileSync(join(root, 'go'), '')
    expect(await first).toMatchObject({ status: 200, body: '' })
    expect((await ask(listener, '/claude-code', { body: claudeShell('ls', root) })).body).toBe('')
  })

  it('a gate that is closed refuses', async () => {
    const listener = await listening()
    await listener.gate.close()
    const answer = await ask(listener, '/claude-code', { body: claudeShell('ls', '/') })
    expect([answer.status, answer.json()]).toMatchObject([200, { hookSpecificOutput: { permissionDecision: 'deny' } }])
  })
})

describe('a listener while it is being closed', () => {
  it('finishes accepted requests, and refuses new ones in the agent’s format', async () => {
    const listener = await listening()
    const { socket, received, closed } = await wireTo(listener)
    const body = JSON.stringify(claudeShell('ls', '/'))
    const request = `${headOf(listener, 'POST /claude-code', `content-length: ${body.length}`)}\r\n${body}`
    socket.write(request.slice(0, 30))
    // A request in transit might be cut off, so it has to arrive first.
    await expect.poll(() => ask(listener, '/healthz').then(({ status }) => status)).toBe(200)
    const closing = listener.close()
    await listener.gate.close()
    socket.write(request.slice(30))
    expect(await closed).toMatch(/^HTTP\/1\.1 200 .*"permissionDecision":"deny".*the gate is closed/s)
    expect(received()).toMatch(/connection: close/i)
    await closing
  })
})

describe('the metrics', () => {
  it('count decisions by agent, event and decision, rule failures by code, and the process itself', async () => {
    const { root, gate } = hookFolder('PreToolUse', { script: '#!/bin/sh\nexit 3\n' }, { onFailure: 'block' })
    const listener = await listening({ gate })
    await ask(listener, '/claude-code', { body: claudeShell('ls', root) })
    const { body, headers } = await ask(listener, '/metrics')
    expect(headers['content-type']).toContain('text/plain')
    for (const line of [
      'hookgate_decisions_total{agent="claude-code",event="PreToolUse",decision="deny"} 1',
      'hookgate_decision_duration_seconds_count{agent="claude-code"} 1',
      'hookgate_rule_failures_total{code="nonzeroExit"} 1',
      'hookgate_decisions_in_flight 0',
    ]) {
      expect(body).toContain(`${line}\n`)
    }
    expect(body).toMatch(/^process_resident_memory_bytes [1-9]/m)
    expect(body).toMatch(/^process_cpu_seconds_total \d/m)
  })

  it('have the same lines whatever is sent: no input becomes a label', async () => {
    const listener = await listening()
    const series = async () =>
      (await ask(listener, '/metrics')).body.split('\n').map((line) => line.replace(/ \S+$/, ''))
    const strange = async (name: string) => {
      await ask(listener, '/claude-code', {
        body: { ...claudeShell('ls', '/'), hook_event_name: name, tool_name: name },
      })
      await ask(listener, `/v1/hook/${name}`, { body: {} })
      await ask(listener, '/v1/decide', { body: { event: { [name]: name } } })
      await ask(listener, `/${name}`, { method: 'DELETE' })
    }
    await strange('first')
    const before = await series()
    for (const name of ['second', '__proto__', 'constructor', 'a"b']) await strange(encodeURIComponent(name))
    expect(await series()).toEqual(before)
  })
})

describe('activity', () => {
  it('is counted for requests, but not for status polls or rejected clients', async () => {
    let times = 0
    const listener = await listening({ onActivity: () => (times += 1) })
    await ask(listener, '/healthz')
    await ask(listener, '/metrics')
    await ask(listener, '/claude-code', { headers: { authorization: 'no' }, body: {} })
    expect(times).toBe(0)
    await ask(listener, '/claude-code', { body: claudeShell('ls', '/') })
    expect(times).toBe(1)
  })
})
