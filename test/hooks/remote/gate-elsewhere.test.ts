import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../../src/gate/gate.ts'
import { openBreaker, openServer } from '../../../src/hooks/remote/ask-server.ts'
import { serveFolder } from '../../support/bundle-server.ts'
import { channel, makeMachine, makeTeam } from '../../support/bundles.ts'
import { json, type PointReply, serverAnswering } from '../../support/decision-point.ts'
import { issuer, remoteListening, tlsFile } from '../../support/remote-server.ts'
import { rulesFile, usualRules } from '../../support/remote-rules.ts'
import { claudeEvent, claudeShell } from '../../support/wire.ts'
import { folderWith, writeFiles } from '../../support/workspace.ts'

/** Opens the gate of a machine whose managed file names a gate elsewhere. */
function machine(remote: object, rules: object = {}) {
  const managedFolder = folderWith({ 'hooks.json': JSON.stringify({ remote: { timeout: 5, ...remote }, ...rules }) })
  const home = folderWith()
  const gate = createGate({ managedFolder, home, env: { HOME: home, TOKEN: 'stale' }, placement: 'caller' })
  onTestFinished(() => gate.close())
  const decided = async (event: object) => {
    const { verdict, error } = await gate.answer(event as never, { agent: 'claude-code' })
    if (verdict === undefined) throw error
    return verdict
  }
  return { decided, shell: (command: string) => decided(claudeShell(command, home)) }
}

const read = (path: string) => claudeShell('', '/', { tool_name: 'Read', tool_input: { file_path: path } })
const prompt = claudeEvent('UserPromptSubmit', '/', { prompt: 'hello' })
const proof = { ca: tlsFile('ca.pem'), cert: tlsFile('client.pem'), key: tlsFile('client.key') }

describe('a machine without rules of its own', () => {
  it('has its calls decided by the gate that its managed file names, with its certificate', async () => {
    const listener = await remoteListening({ gate: { rules: [rulesFile()] } })
    const { shell } = machine({ url: listener.url, ...proof })
    const decisions = []
    for (const command of ['git push --force origin main', 'npm publish .', 'git status', 'ls']) {
      // oxlint-disable-next-line no-await-in-loop -- in the order of the record
      decisions.push((await shell(command)).decision)
    }
    expect(decisions).toEqual(['deny', 'ask', 'allow', 'abstain'])
    expect(listener.records.map(({ who }) => who)).toEqual(Array.from({ length: 4 }, () => 'CN=ci-runner-7'))
  })

  it('has them decided with a token too', async () => {
    const provider = await issuer()
    const listener = await remoteListening({
      certificates: false,
      oidc: provider.settings,
      gate: { rules: [rulesFile()] },
    })
    const file = join(folderWith({ token: await provider.token() }), 'token')
    const { shell } = machine({ url: listener.url, ca: tlsFile('ca.pem'), token: { file } })
    expect(await shell('git push --force origin main')).toMatchObject({ decision: 'deny' })
  })
})

const verdict = { decision: 'abstain', reason: '' }

/** Faults of a gate elsewhere, and the words in which its machine reports each. */
const failures: Readonly<Record<string, { open: () => Promise<object>; says: string }>> = {
  away: {
    async open() {
      const server = await serverAnswering(json(verdict))
      server.close()
      return { url: server.url }
    },
    says: 'cannot be asked',
  },
  slow: {
    open: async () => ({ url: (await serverAnswering(() => {})).url, timeout: 0.05 }),
    says: 'did not answer within 50 ms',
  },
  'of another name than its certificate': {
    open: async () => ({ url: (await serverAnswering(json(verdict), 'server-of-another-name')).url, ...proof }),
    says: 'cannot be asked',
  },
  'of an authority that is not trusted': {
    open: async () => ({ url: (await serverAnswering(json(verdict), 'server')).url }),
    says: 'cannot be asked',
  },
  'demanding a certificate that this machine does not have': {
    open: async () => ({ url: (await remoteListening()).url, ca: proof.ca }),
    says: 'answered 401',
  },
  'refusing a token that has expired': {
    async open() {
      const provider = await issuer()
      const listener = await remoteListening({ certificates: false, oidc: provider.settings })
      const token = await provider.token({ exp: Math.floor(Date.now() / 1000) - 3600 })
      return { url: listener.url, ca: proof.ca, token: { file: join(folderWith({ token }), 'token') } }
    },
    says: 'answered 401',
  },
  'for which there is no token': {
    open: async () => ({ url: (await serverAnswering(json(verdict))).url, token: { file: '/nowhere/token' } }),
    says: '/nowhere/token',
  },
  'answering garbage': {
    open: async () => ({ url: (await serverAnswering((_, response) => response.end('garbage'))).url }),
    says: 'not JSON',
  },
  'answering JSON that is no verdict': {
    open: async () => ({ url: (await serverAnswering(json({ decision: 'maybe' }))).url }),
    says: 'no verdict',
  },
  'answering 503': {
    open: async () => ({ url: (await serverAnswering(json({}, 503))).url }),
    says: 'answered 503',
  },
}

describe('while the gate elsewhere is', () => {
  it.each(Object.keys(failures))('%s, the rules of the machine decide, and say so', async (name) => {
    const failure = failures[name]
    const { shell } = machine((await failure?.open()) ?? {}, usualRules)
    expect(await shell('git push --force origin main')).toMatchObject({ decision: 'deny' })
    const other = await shell('ls')
    expect(other.decision).toBe('abstain')
    expect(other.notices.join()).toContain(failure?.says)
    expect(other.notices.join()).toContain('the rules on this machine have decided')
  })

  it.each(Object.keys(failures))('%s, a machine without rules refuses what may change something', async (name) => {
    const failure = failures[name]
    const { decided, shell } = machine((await failure?.open()) ?? {})
    const refused = await shell('ls')
    expect(refused).toMatchObject({ decision: 'deny' })
    expect(refused.reason).toContain(failure?.says)
    for (const event of [read('/work/a.ts'), prompt]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const passed = await decided(event)
      expect(passed.decision).toBe('abstain')
      expect(passed.notices).not.toEqual([])
    }
  })

  it.each([
    ['write', 'continue', 'abstain'],
    ['write', 'ask', 'ask'],
    ['write', 'block', 'deny'],
    ['read', 'block', 'deny'],
    ['read', 'ask', 'ask'],
  ])('away, `onUnreachable.%s` may be `%s`', async (which, onFailure, want) => {
    const { decided, shell } = machine({ url: 'http://127.0.0.1:1', onUnreachable: { [which]: onFailure } })
    expect((await (which === 'read' ? decided(read('/a')) : shell('ls'))).decision).toBe(want)
  })

  it.each([
    ['shell', 'Bash', { command: 'ls' }, 'deny'],
    ['write', 'Write', { file_path: '/a', content: '' }, 'deny'],
    ['edit', 'Edit', { file_path: '/a', old_string: 'a', new_string: 'b' }, 'deny'],
    ['fetch', 'WebFetch', { url: 'https://a.example/?secret', prompt: '' }, 'deny'],
    ['mcp', 'mcp__db__query', {}, 'deny'],
    ['other', 'Unheard', {}, 'deny'],
    ['agent', 'Task', { prompt: 'go', description: '', subagent_type: 'x' }, 'deny'],
    ['read', 'Read', { file_path: '/a' }, 'abstain'],
    ['search', 'Grep', { pattern: 'a' }, 'abstain'],
    ['list', 'Glob', { pattern: '*' }, 'abstain'],
  ])('away, a call of the kind %s is decided without it', async (_, tool_name, tool_input, want) => {
    const { decided } = machine({ url: 'http://127.0.0.1:1' })
    expect((await decided(claudeShell('', '/', { tool_name, tool_input }))).decision).toBe(want)
  })

  it('away, rules of a user or a project take the place of no `onUnreachable` of an administrator', async () => {
    const home = folderWith({ '.config/hookgate/hooks.json': JSON.stringify(usualRules) })
    const project = folderWith({ '.git/HEAD': '', '.hookgate/hooks.json': JSON.stringify(usualRules) })
    const managedFolder = folderWith({ 'hooks.json': JSON.stringify({ remote: { url: 'http://127.0.0.1:1' } }) })
    const gate = createGate({ managedFolder, home, env: { HOME: home }, placement: 'caller' })
    onTestFinished(() => gate.close())
    const { decision, reason } = await gate.decide(await gate.decode(claudeShell('ls', project)))
    expect([decision, reason]).toEqual(['deny', expect.stringContaining('`onUnreachable.write` is `block`')])
  })

  it('too slow, three calls wait for one deadline each and others for none, and the last good bundle decides', async () => {
    const team = makeTeam()
    team.publish('r1')
    const rules = await serveFolder(team.repository.folder)
    const state = folderWith()
    const { poll, pinned } = makeMachine(team, rules.url, { folder: join(state, 'bundles') })
    await poll()
    await rules.close()
    const server = await serverAnswering((_, response) => void response.write('{"decision": '))
    // As long as a busy machine takes to connect.
    const remote = { url: server.url, timeout: 2, onUnreachable: { write: 'block', read: 'block' } }
    const bundle = { url: rules.url, channel }
    const managedFolder = folderWith({ 'hooks.json': JSON.stringify({ remote, bundle }), 'root.json': pinned })
    const gate = createGate({ managedFolder, home: folderWith(), env: {}, state, placement: 'caller' })
    onTestFinished(() => gate.close())
    const verdicts = []
    for (const command of ['ls', 'rm x', 'ls', 'rm x', 'ls']) {
      // oxlint-disable-next-line no-await-in-loop -- failures in a row
      verdicts.push(await gate.decide(await gate.decode(claudeShell(command, '/'))))
    }
    expect(verdicts.map(({ decision }) => decision)).toEqual(['abstain', 'deny', 'abstain', 'deny', 'abstain'])
    expect(verdicts[1]?.determining).toEqual(['managed:bundle/hooks.json#permissions.deny'])
    expect(server.requests).toHaveLength(3)
    const said = verdicts.map(({ notices }) => /did not answer within 2000 ms|is not asked/.exec(notices.join())?.[0])
    const [late, open] = ['did not answer within 2000 ms', 'is not asked']
    expect(said).toEqual([late, late, late, open, open])
  })

  it('away, rules that only observe do not count as rules', async () => {
    const { shell } = machine({ url: 'http://127.0.0.1:1' }, { ...usualRules, mode: 'observe' })
    expect((await shell('ls')).decision).toBe('deny')
  })
})

describe('a call that the gate elsewhere does not read', () => {
  it('is refused where it is too large, whatever rules the machine has, and others are still decided there', async () => {
    const server = await serverAnswering(json({}, 413))
    const { shell } = machine({ url: server.url, onUnreachable: { write: 'continue' } }, usualRules)
    for (let round = 0; round < 4; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- failures in a row
      expect(await shell('ls')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('too large') })
    }
    server.answer(json({ decision: 'ask', reason: 'from elsewhere' }))
    expect(await shell('ls')).toMatchObject({ decision: 'ask' })
  })
})

describe('the rules of the machine', () => {
  it('count beside the gate elsewhere, whichever is stricter', async () => {
    const server = await serverAnswering(json({ ...verdict, decision: 'allow', reason: 'fine' }))
    const { shell } = machine({ url: server.url }, usualRules)
    expect(await shell('git push --force origin main')).toMatchObject({ decision: 'deny' })
    expect(await shell('ls')).toMatchObject({ decision: 'allow' })
  })

  it('may not name a gate elsewhere in a project', async () => {
    const home = folderWith()
    const gate = createGate({ home, managedFolder: folderWith(), env: { HOME: home }, placement: 'caller' })
    onTestFinished(() => gate.close())
    const project = folderWith()
    writeFiles(project, { '.hookgate/hooks.json': JSON.stringify({ remote: { url: 'https://evil.example' } }) })
    await expect(gate.rulesFor({ workspaceRoots: [project] })).rejects.toThrow(/remote/)
  })
})

describe('a server that fails again and again', () => {
  const asking = (url: string, pauseMs: number) => {
    const server = { url, headers: {}, token: undefined, ca: undefined, cert: undefined, key: undefined }
    const asked = openServer(server, {}, openBreaker(3, pauseMs))
    onTestFinished(() => asked.close())
    return () => asked.ask({ path: '/', body: {}, timeoutMs: 2000, signal: undefined })
  }
  const broken: PointReply = json({}, 500)

  it('is not asked for a while, and calls do not wait for it', async () => {
    const server = await serverAnswering(broken)
    const ask = asking(server.url, 60_000)
    const answers = []
    // oxlint-disable-next-line no-await-in-loop -- failures in a row
    for (let round = 0; round < 6; round += 1) answers.push(await ask())
    expect(server.requests).toHaveLength(3)
    expect(answers.at(-1)).toMatchObject({
      kind: 'failed',
      failure: { message: expect.stringContaining('is not asked') },
    })
  })

  it('is tried by one call after that, and asked again once it answers', async () => {
    const server = await serverAnswering(broken)
    const ask = asking(server.url, 50)
    // oxlint-disable-next-line no-await-in-loop -- failures in a row
    for (let round = 0; round < 3; round += 1) await ask()
    server.answer(json({ fine: true }))
    await new Promise((later) => setTimeout(later, 80))
    const first = await Promise.all([ask(), ask(), ask()])
    expect(first.map(({ kind }) => kind).toSorted()).toEqual(['answered', 'failed', 'failed'])
    expect((await ask()).kind).toBe('answered')
  })

  it('is asked again at once if it answers in between', async () => {
    const server = await serverAnswering(broken)
    const ask = asking(server.url, 60_000)
    for (const reply of [broken, broken, json({}), broken, broken, json({})]) {
      server.answer(reply)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await ask()
    }
    expect(server.requests).toHaveLength(6)
  })

  it('does not cut off the calls that wait beside the one that failed', async () => {
    const server = await serverAnswering((request, response) => {
      if (request.path === '/broken') response.destroy()
      else setTimeout(() => response.end('{}'), 200)
    })
    const target = { url: server.url, headers: {}, token: undefined, ca: undefined, cert: undefined, key: undefined }
    const asked = openServer(target, {})
    onTestFinished(() => asked.close())
    const ask = (path: string) => asked.ask({ path, body: {}, timeoutMs: 5000, signal: undefined })
    const slow = ask('/slow')
    expect((await ask('/broken')).kind).toBe('failed')
    expect((await slow).kind).toBe('answered')
  })

  it('keeps its connection between calls', async () => {
    const sockets = new Set<unknown>()
    const server = await serverAnswering((_, response) => {
      sockets.add(response.socket)
      response.end('{}')
    })
    const ask = asking(server.url, 60_000)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let round = 0; round < 5; round += 1) await ask()
    expect(sockets.size).toBe(1)
  })
})
