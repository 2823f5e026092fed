import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Gate, type GateOptions, HookgateError } from '../../src/library/index.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { Json } from '../../src/model/json.ts'
import { limits } from '../../src/model/limits.ts'
import { liveProcesses, survivors } from '../support/processes.ts'
import { claudeEvent, claudeShell, clineSdkTool, clineTool } from '../support/wire.ts'
import { answers, folderWith, rulesWith, writeFiles } from '../support/workspace.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { runsOf } from '../support/sample.ts'
import { backgroundHooksMax } from '../../src/hooks/runner.ts'

function gateWith(options: GateOptions): Gate {
  const gate = createGate({ home: emptyHome, managedFolder: missing, placement: 'caller', ...options })
  onTestFinished(() => gate.close())
  return gate
}

const deny = (reason: string) =>
  answers({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
  })

describe('a gate with hooks', () => {
  it('runs all matching hooks concurrently and combines their answers', async () => {
    const root = folderWith({
      'deny.sh': deny('no'),
      'context.sh': answers({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'know this' } }),
      'hooks.json': {
        json: {
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  { type: 'command', command: './context.sh' },
                  { type: 'command', command: './deny.sh' },
                ],
              },
              { matcher: 'Read', hooks: [{ type: 'command', command: './other.sh' }] },
            ],
          },
        },
      },
    })
    const gate = gateWith({ rules: [join(root, 'hooks.json')] })
    const verdict = await gate.decide(await gate.decode(claudeShell('ls', root)))
    expect(verdict).toMatchObject({ decision: 'deny', context: 'know this', evaluations: { length: 2 } })
  })

  it('cancels an event when the caller aborts: every process is killed, and nothing is allowed', async () => {
    const tag = `abort-${process.pid}`
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'sleep 60') })
    const env = { ...process.env, HOOKGATE_TEST_TAG: tag }
    const gate = gateWith({ rules: [join(root, 'hooks.json')], env })
    const given = new AbortController()
    const verdict = gate.decide(await gate.decode(claudeShell('ls', root)), { signal: given.signal })
    await expect.poll(() => liveProcesses(tag).length).toBeGreaterThan(0)
    given.abort()
    expect(await verdict).toMatchObject({ decision: 'deny', evaluations: [{ failure: { code: 'cancelled' } }] })
    expect(liveProcesses(tag)).toEqual([])
  })

  it('on close, kills async hooks too', async () => {
    const tag = `async-${process.pid}`
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'sleep 60', { async: true }) })
    const env = { ...process.env, HOOKGATE_TEST_TAG: tag }
    const gate = gateWith({ rules: [join(root, 'hooks.json')], env })
    expect(await gate.decide(await gate.decode(claudeShell('ls', root)))).toMatchObject({
      decision: 'abstain',
      evaluations: [{ kind: 'notApplicable' }],
    })
    expect(liveProcesses(tag).length).toBeGreaterThan(0)
    await gate.close()
    expect(await survivors(tag)).toEqual([])
  })

  it('on close, kills running hooks and refuses later events', async () => {
    const tag = `close-${process.pid}`
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'sleep 60') })
    const env = { ...process.env, HOOKGATE_TEST_TAG: tag }
    const gate = gateWith({ rules: [join(root, 'hooks.json')], env })
    const event = await gate.decode(claudeShell('ls', root))
    const running = gate.decide(event)
    await expect.poll(() => liveProcesses(tag).length).toBeGreaterThan(0)
    await gate.close()
    expect((await running).decision).toBe('deny')
    await expect(gate.decide(event)).rejects.toMatchObject({ name: 'HookgateError', code: 'closed' })
    expect(await gate.answer(claudeShell('ls', root))).toMatchObject({ exitCode: 2 })
    expect(liveProcesses(tag)).toEqual([])
  })
})

describe('a gate', () => {
  it('limits background hooks, and reports those over the limit', async () => {
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'sleep 60', { async: true }) })
    const gate = gateWith({ rules: [join(root, 'hooks.json')] })
    const event = await gate.decode(claudeShell('ls', root))
    const verdicts = await Promise.all(Array.from({ length: backgroundHooksMax + 1 }, () => gate.decide(event)))
    const refused = verdicts.flatMap(({ evaluations }) => evaluations).filter(({ kind }) => kind === 'indeterminate')
    expect(refused).toMatchObject([
      { failure: { code: 'spawnFailed', message: expect.stringContaining('still running') } },
    ])
    expect(verdicts.flatMap(({ notices }) => notices)).toHaveLength(1)
  })

  it('reloads a changed rules file by itself', async () => {
    const root = folderWith({ 'hook.sh': deny('no'), 'hooks.json': '{"hooks":{}}' })
    const gate = gateWith({ rules: [join(root, 'hooks.json')] })
    const decision = async () => (await gate.decide(await gate.decode(claudeShell('ls', root)))).decision
    expect(await decision()).toBe('abstain')
    writeFiles(root, { 'hooks.json': rulesWith('PreToolUse', './hook.sh') })
    await expect.poll(decision).toBe('deny')
  })

  it('refuses while a rules file is malformed, and decides again once it is fixed', async () => {
    const root = folderWith({ 'hooks.json': '{"hooks":' })
    const gate = gateWith({ rules: [join(root, 'hooks.json')] })
    const event = await gate.decode(claudeShell('ls', root))
    await expect(gate.decide(event)).rejects.toMatchObject({ code: 'rulesMalformed' })
    writeFileSync(join(root, 'hooks.json'), '{"hooks":{}}')
    await expect.poll(async () => (await gate.answer(claudeShell('ls', root))).exitCode).toBe(0)
  })

  it('runs the hooks of a plugin sequentially, in order', async () => {
    const step = (name: string) => `sh -c 'sleep 0.05; echo ${name} >> order.txt; cat order.txt | tr "\\n" " "'`
    const root = folderWith({
      'plugin/hooks/hooks.json': {
        json: {
          hooks: {
            PostToolUse: [
              {
                hooks: [
                  { type: 'command', command: step('a') },
                  { type: 'command', command: step('b') },
                ],
              },
              { hooks: [{ type: 'command', command: step('c') }] },
            ],
          },
        },
      },
    })
    const gate = gateWith({ rules: [join(root, 'plugin')] })
    const event = claudeEvent('PostToolUse', root, {
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: { stdout: '' },
      tool_use_id: 't',
    })
    expect((await gate.decide(await gate.decode(event))).context).toBe('a\n\na b\n\na b c')
  })

  it('runs a workspace’s hook in its root, however deep the agent’s working directory is', async () => {
    const root = folderWith({
      '.git/HEAD': 'ref: refs/heads/main',
      '.hookgate/guard.sh': { script: '#!/bin/sh\necho "$PWD $CLAUDE_PROJECT_DIR" >&2\nexit 2\n' },
      '.hookgate/hooks.json': rulesWith('PreToolUse', '"$CLAUDE_PROJECT_DIR"/.hookgate/guard.sh'),
      // What a relative path would resolve to in the agent's working directory.
      'deep/down/.hookgate/guard.sh': { script: '#!/bin/sh\nexit 0\n' },
    })
    const { CLAUDE_PROJECT_DIR: _, ...env } = process.env
    const gate = gateWith({ trustWorkspace: true, env })
    const verdict = await gate.decide(await gate.decode(claudeShell('ls', join(root, 'deep/down'))))
    expect(verdict).toMatchObject({ decision: 'deny', reason: expect.stringContaining(`${root} ${root} `) })
  })

  it('runs a hook once per file of a call that its own agent would have split by file', async () => {
    const root = folderWith({
      'guard.sh': { script: '#!/bin/sh\nif grep -q secret.txt; then echo "not that one" >&2; exit 2; fi\n' },
      'hooks.json': rulesWith('PreToolUse', './guard.sh', { matcher: 'Read' }),
    })
    const gate = gateWith({ rules: [join(root, 'hooks.json')] })
    const reads = async (...paths: readonly string[]) =>
      gate.decide(await gate.decode(clineSdkTool('read_files', { files: paths.map((path) => ({ path })) }, root)))
    expect((await reads('a.txt', 'b.txt')).decision).toBe('abstain')
    const verdict = await reads('a.txt', 'secret.txt', 'b.txt')
    expect(verdict).toMatchObject({ decision: 'deny', evaluations: { length: 3 }, determining: { length: 1 } })
  })

  it('translates a Claude Code hook’s rewrite into Cline’s SDK format', async () => {
    const updatedInput = { file_path: '/elsewhere/safe.txt', content: 'hi' }
    const root = folderWith({
      'rewrite.sh': answers({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } }),
      'hooks.json': rulesWith('PreToolUse', './rewrite.sh', { matcher: 'Write' }),
    })
    const gate = gateWith({ rules: [join(root, 'hooks.json')] })
    const sdk = await gate.answer(clineSdkTool('editor', { path: join(root, 'a.txt'), new_text: 'hi' }, root))
    expect(JSON.parse(sdk.stdout)).toEqual({
      cancel: false,
      overrideInput: { path: '/elsewhere/safe.txt', new_text: 'hi' },
    })
    // The classic engine cannot replace an input, so a demanded rewrite becomes a refusal.
    const classic = await gate.answer(clineTool('write_to_file', { path: 'a.txt', content: 'hi' }, root))
    expect(JSON.parse(classic.stdout)).toMatchObject({
      cancel: true,
      errorMessage: expect.stringContaining('a different input'),
    })
  })

  it('passes the record of every verdict to `onRecord`', async () => {
    const records: unknown[] = []
    const gate = gateWith({ discover: false, onRecord: (record) => records.push(record) })
    await gate.decide(await gate.decode(claudeShell('curl -H "Authorization: Bearer abcdef" x', '/')))
    expect(records).toMatchObject([{ decision: 'abstain', subject: expect.stringContaining('Bearer ***') }])
  })

  it('throws a typed error for an event that it cannot decode', async () => {
    const gate = gateWith({ discover: false })
    await expect(gate.decode('{}')).rejects.toThrow(HookgateError)
    await expect(gate.decode('{}')).rejects.toThrow(/which agent/)
  })

  it('refuses an event over the nesting limit, and says so', async () => {
    const gate = gateWith({ discover: false })
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const answerAt = (levels: number) => {
      const wire = JSON.stringify(claudeShell('ls', '/')).replace('"ls"', `"ls","more":${nested(levels)}`)
      return gate.answer(wire, { agent: 'claude-code' })
    }
    // The event and its tool's input are two levels.
    expect(await answerAt(limits.jsonDepthMax - 2)).toMatchObject({ exitCode: 0, stderr: '' })
    for (const levels of [limits.jsonDepthMax - 1, 100_000]) {
      // oxlint-disable-next-line no-await-in-loop -- two short ones
      expect(await answerAt(levels)).toMatchObject({
        exitCode: 2,
        stderr: 'hookgate cannot answer: the event is nested deeper than 128 levels\n',
      })
    }
  })

  it('refuses an object that cannot be serialized, in its event’s format', async () => {
    const gate = gateWith({ discover: false })
    const round: Record<string, Json> = { ...claudeShell('ls', '/') }
    round['tool_input'] = { round }
    const deep: Json = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    const stopping = { ...claudeShell('ls', '/'), hook_event_name: 'Stop', stop_hook_active: true, deep }
    const pending = [round, stopping].map((wire) => gate.answer(wire, { agent: 'claude-code' }))
    const stderr = 'hookgate cannot answer: the event is nested deeper than 128 levels\n'
    // A turn that a hook has already kept alive is allowed to end.
    expect(await Promise.all(pending)).toMatchObject([
      { exitCode: 2, stderr },
      { exitCode: 1, stderr },
    ])
  })

  it('rejects an object that is not an event, and says what is wrong', async () => {
    const gate = gateWith({ discover: false })
    const event = await gate.decode(claudeShell('ls', '/'))
    const decided = (changed: object) =>
      gate.decide(Object.assign({ ...event }, changed)).then(
        ({ decision }) => decision,
        (error: unknown) => (error instanceof HookgateError ? `${error.code}: ${error.message}` : error),
      )
    expect(await decided({})).toBe('abstain')
    expect(await decided({ name: 'PreTolUse' })).toMatch(
      /^eventMalformed: .*`name` must be `PreToolUse`, .*not `PreTolUse`$/,
    )
    expect(await decided({ session: undefined })).toBe(
      'eventMalformed: this is not an event: `session` must be an object, but is missing',
    )
    expect(await decided({ workspaceRoots: '/' })).toContain('`workspaceRoots` must be an array, not a string')
    expect(await decided({ raw: { deep: JSON.parse(`${'['.repeat(1e5)}${']'.repeat(1e5)}`) as unknown } })).toBe(
      'eventMalformed: the event is nested deeper than 128 levels',
    )
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- untyped callers may pass anything
    await expect(gate.decide(undefined as unknown as typeof event)).rejects.toThrow(
      'this is not an event: the whole must be an object, but is missing',
    )
  })

  it('names a field that no event has, and the one that was probably meant', async () => {
    const gate = gateWith({ discover: false })
    const event = await gate.decode(claudeShell('ls', '/'))
    const decided = (changed: object) => gate.decide(Object.assign({ ...event }, changed))
    const message = (what: string) => `this is not an event: ${what}`
    await expect(decided({ tools: event.tool })).rejects.toMatchObject({
      code: 'eventMalformed',
      message: message('`tools` is not a known field'),
      remedy: 'did you mean `tool`?',
    })
    await expect(decided({ session: { ...event.session, cvd: '/' }, a: 1, b: 2 })).rejects.toMatchObject({
      message: message('`session.cvd` is not a known field; `a` is not a known field; `b` is not a known field'),
      remedy: 'did you mean `cwd`?',
    })
    await expect(decided({ action: 1 })).rejects.toMatchObject({
      remedy: 'use `gate.decode` to create it from what the agent sends',
    })
  })

  it('refuses an unknown agent, and says so', async () => {
    const gate = gateWith({ discover: false })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- untyped callers may pass anything
    const answered = await gate.answer(claudeShell('ls', '/'), { agent: 'clyde' as KnownAgent })
    expect(answered).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('there is no agent `clyde`') })
  })

  it('starts nothing after it was killed, not even the next hook of a sequence', async () => {
    const root = folderWith({
      'first.sh': { script: '#!/bin/sh\ntouch begun\nsleep 30\n' },
      'second.sh': { script: '#!/bin/sh\ntouch second\n' },
      'p/.claude-plugin/plugin.json': '{"name":"p"}',
    })
    const hooks = ['first', 'second'].map((name) => ({ type: 'command', command: join(root, `${name}.sh`) }))
    writeFiles(root, { 'p/hooks/hooks.json': { json: { hooks: { PreToolUse: [{ hooks }] } } } })
    const gate = gateWith({ rules: [join(root, 'p')] })
    const answered = gate.answer(claudeShell('ls', root), { agent: 'claude-code' })
    await expect.poll(() => existsSync(join(root, 'begun')), { timeout: 120_000 }).toBe(true)
    gate.kill()
    expect(await answered).toMatchObject({ exitCode: 2 })
    expect(existsSync(join(root, 'second'))).toBe(false)
  })

  it('never crashes and never stays silent on invalid events', async () => {
    const gate = gateWith({ discover: false })
    const junk = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json(),
      fc.json().map((text) => `{"hook_event_name":"PreToolUse","session_id":${text}}`),
      fc.json().map((text) => `{"hookName":"PreToolUse","taskId":"t","preToolUse":${text}}`),
      fc.string({ unit: 'binary' }),
    )
    const agent = fc.constantFrom(undefined, 'claude-code' as const, 'cline' as const)
    await fc.assert(
      fc.asyncProperty(junk, agent, async (wire, named) => {
        const answered = await gate.answer(wire, named === undefined ? {} : { agent: named })
        if (answered.error === undefined) return // A valid event after all, without a matching rule.
        const refuses = answered.exitCode === 2 || answered.stdout.includes('"cancel":true')
        const reports = answered.exitCode === 1
        expect({ refuses: refuses || reports, says: answered.stderr.trim() !== '' }).toEqual({
          refuses: true,
          says: true,
        })
        expect(JSON.parse(answered.stdout)).toBeTypeOf('object')
        expect(answered.stdout + answered.stderr).not.toMatch(/\n\s+at .*:\d+/)
      }),
      { numRuns: runsOf(1000) },
    )
  })
})

describe('embedded in a program', () => {
  const index = fileURLToPath(new URL('../../src/library/index.ts', import.meta.url))

  const embedding = (body: string) =>
    new Promise<{ output: string; exitCode: number | null }>((resolve) => {
      const script = `import { createGate } from ${JSON.stringify(index)}\n${body}`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (output += text))
      child.on('close', (exitCode) => resolve({ output, exitCode }))
    })

  it('prints nothing, and after close() nothing keeps the program alive', async () => {
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'echo noise; echo noise >&2; exit 1') })
    const body = `
      const gate = createGate({ rules: [${JSON.stringify(join(root, 'hooks.json'))}], discover: false })
      await gate.decide(await gate.decode(${JSON.stringify(clineTool('execute_command', { command: 'ls' }, root))}))
      await gate.close()`
    expect(await embedding(body)).toEqual({ output: '', exitCode: 0 })
  })

  it('that is idle and not closed does not keep the program alive either', async () => {
    const root = folderWith({ 'hooks.json': rulesWith('PreToolUse', 'true') })
    const body = `
      const gate = createGate({ rules: [${JSON.stringify(join(root, 'hooks.json'))}], discover: false })
      await gate.decide(await gate.decode(${JSON.stringify(clineTool('execute_command', { command: 'ls' }, root))}))`
    expect(await embedding(body)).toEqual({ output: '', exitCode: 0 })
  })
})
