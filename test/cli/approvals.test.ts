import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/files/program-files.ts'
import type { OpenRequest } from '../../src/model/approval.ts'
import { limits } from '../../src/model/limits.ts'
import { askGate } from '../../src/service/server/ask-gate.ts'
import { answerRequest, openRequests } from '../../src/service/server/ask-approvals.ts'
import { hookgateHere } from '../support/cli.ts'
import { hasTerminals, inTerminal } from '../support/terminal.ts'
import { residentUser } from '../support/resident.ts'
import { callIn, clientsIn } from '../support/thin-client.ts'
import { claudeShell } from '../support/wire.ts'
import { hookScript } from '../../src/service/client/index.ts'

const rules = { json: { permissions: { ask: ['Bash(npm publish *)'] }, approvals: true } }

/** A person with a running gate, and an agent that cannot ask. */
async function personWithGate() {
  const user = residentUser({ 'home/.config/hookgate/hooks.json': rules, 'project/x': '' })
  await user.cli(['up'])
  const { folder, places, env } = user
  const cwd = join(folder, 'project')
  let calls = 0
  /** Has Codex call a command through the gate. */
  async function call(command: string) {
    const wire = claudeShell(command, cwd, { turn_id: 't', model: 'm', tool_use_id: `call-${(calls += 1)}` })
    const reply = await askGate(places, {
      to: 'hook',
      agent: 'codex',
      body: JSON.stringify(wire),
      timeoutMs: 20_000,
    })
    return { exitCode: reply.exitCode, output: reply.stdout + reply.stderr }
  }
  /** Waits until so many calls wait for a person. */
  async function waiting(number: number): Promise<readonly OpenRequest[]> {
    while (true) {
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      const requests = (await openRequests(places)) ?? []
      if (requests.length === number) return requests
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      await sleep(20)
    }
  }
  const atTerminal = (...argv: string[]) =>
    hookgateHere(['approvals', ...argv], { env, cwd, ask: () => Promise.resolve('') })
  return { ...user, call, waiting, atTerminal, cwd }
}

/** On other systems, the key is the proof: `whyNoPerson`. */
describe.runIf(hasTerminals)('`hookgate approvals`', () => {
  it('lists the calls that wait; one is approved and runs, one is refused and the model is told why', async () => {
    const { call, waiting, atTerminal, cli, env, cwd } = await personWithGate()
    expect((await atTerminal()).stdout).toBe('no call waits for a person\n')
    const first = call('npm publish .')
    const [request] = await waiting(1)
    const second = call('npm publish ./packages/a')
    const [, other] = await waiting(2)
    const { stdout: list } = await atTerminal()
    expect(list.replaceAll(/\d+ min/g, 'N min').split('\n')).toEqual([
      `${request?.id}   N min left  Codex        Bash: \`npm publish .\`  permissions.ask`,
      `${other?.id}   N min left  Codex        Bash: \`npm publish ./packages/a\`  permissions.ask`,
      '',
    ])

    const approved = await inTerminal(['approvals', 'approve', request?.id ?? ''], { env, cwd })
    expect(approved.shown).toMatch(/^waits +\d+ s, for \d+ min more\ncall +Bash: npm publish \.\n/)
    expect(approved.shown).toMatch(/ was approved after \d+ s\nexit 0\n$/)
    expect(await first).toEqual({ exitCode: 0, output: '' })

    const refused = await atTerminal('deny', other?.id ?? '', '--reason', 'only from the main folder')
    expect(refused.stdout).toMatch(/ was refused after \d+ s\n$/)
    const { exitCode, output } = await second
    expect(exitCode).toBe(2)
    expect(output).toContain('in a terminal: only from the main folder')

    const again = await atTerminal('approve', other?.id ?? '')
    expect(again.exitCode).toBe(1)
    expect(again.stderr).toMatch(
      / is over: refused by \S+ in a terminal after \d+ s; `hookgate allow \w+` lets the call through when the agent tries again\n$/,
    )

    // The record is written beside the answers.
    const logged = async (): Promise<string> => {
      const { stdout } = await cli(['log'])
      return stdout.split('npm publish').length > 2 ? stdout : sleep(50).then(logged)
    }
    const log = await logged()
    expect(log).toMatch(/approved by \S+ in a terminal after \d+ s/)
    expect(log).toMatch(/refused by \S+ in a terminal after \d+ s/)
    expect((await cli(['why', other?.id ?? ''])).stdout).toMatch(
      /^person +refused by \S+ in a terminal after \d+ s: only from the main folder$/m,
    )
    expect((await cli(['stats'])).stdout).toMatch(
      /^2 calls waited for a person: 1 approved, 1 refused, 0 unanswered; an answer took \d+ s \(p50\), at most \d+ s$/m,
    )

    // A person's answers are what suggestions are made of: nothing has to be guessed from what ran.
    const suggested = (await cli(['suggest', '--json', '--min', '1'])).stdout
    expect(JSON.parse(suggested)).toMatchObject({ questions: { byRules: 1, declined: 1 } })

    // Without a terminal, nobody can tell whether a person answers.
    const third = call('npm publish .')
    const [last] = await waiting(1)
    const piped = await hookgateHere(['approvals', 'approve', last?.id ?? ''], { env, cwd })
    expect(piped).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('needs a terminal') as unknown })
    // The gate does not wait for a person when it is to end.
    await cli(['down'])
    expect(await third).toMatchObject({ exitCode: 2, output: expect.stringContaining('gate ended') as unknown })
    expect((await atTerminal()).stdout).toBe('no gate runs, so no call can wait for a person\n')
  })

  it('turns them on and off in the user’s own file, and leaves settings that are there', async () => {
    const user = residentUser({ 'home/.config/hookgate/hooks.json': '{\n    "permissions": {}\n}\n' })
    const file = join(user.folder, 'home/.config/hookgate/hooks.json')
    const dry = await user.cli(['approvals', 'on', '--dry-run'])
    expect(dry).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"approvals": true') as unknown })
    expect(readFileSync(file, 'utf8')).not.toContain('approvals')
    await user.cli(['approvals', 'on'])
    expect(readFileSync(file, 'utf8')).toBe('{\n    "permissions": {},\n    "approvals": true\n}\n')
    expect((await user.cli(['approvals', 'on'])).stdout).toContain('nothing had to be changed')
    await user.cli(['approvals', 'off'])
    expect(readFileSync(file, 'utf8')).toContain('"approvals": false')
    writeFileSync(file, '{ "approvals": { "waitSeconds": 60 } }')
    expect((await user.cli(['approvals', 'on'])).stdout).toContain('nothing had to be changed')
    expect(await user.cli(['approvals', 'on', 'k3x7qd'])).toMatchObject({ exitCode: 1, stdout: '' })
  })

  it('is believed only with the proof of the gate’s key, and cannot speak for a channel from outside', async () => {
    const { call, waiting, places } = await personWithGate()
    const calling = call('npm publish .')
    const [request] = await waiting(1)
    const { id = '', call: digest = '' } = request ?? {}
    const answer = { id, call: digest, answer: 'approve', channel: 'terminal' } as const
    const body = JSON.stringify({ answer: JSON.stringify(answer), proof: '0'.repeat(64), pid: process.pid })
    expect((await askGate(places, { to: 'answer', body })).stdout).toContain('"code":"unauthorized"')
    await expect(answerRequest(places, { ...answer, channel: 'ntfy' })).rejects.toThrow(
      'this is no answer to a request',
    )
    expect(await answerRequest(places, { ...answer, answer: 'deny', call: 'another' })).toEqual({ kind: 'unknown' })
    expect(await waiting(1)).toHaveLength(1)
    expect(await answerRequest(places, { ...answer, answer: 'deny' })).toMatchObject({ kind: 'taken' })
    expect((await calling).exitCode).toBe(2)
  })

  it('approves a call for several times, for a time, and with an exception that is shown before it is written', async () => {
    const { call, waiting, env, cwd, folder } = await personWithGate()
    const approve = (id: string, flags: readonly string[], typed = '') =>
      inTerminal(['approvals', 'approve', id, ...flags], { env, cwd, typed })
    const twice = call('npm publish .')
    const [first] = await waiting(1)
    expect((await approve(first?.id ?? '', ['--times', '2'])).shown).toMatch(/\nallowed 2 times: the same call/)
    expect((await twice).exitCode).toBe(0)
    expect((await call('npm publish .')).exitCode).toBe(0)
    const third = call('npm publish .')
    const [again] = await waiting(1)
    expect((await approve(again?.id ?? '', ['--for', '30m'])).shown).toMatch(/\nallowed until .*: the same call/)
    expect((await third).exitCode).toBe(0)
    expect((await call('npm publish .')).exitCode).toBe(0)
    expect((await call('npm publish .')).exitCode).toBe(0)

    const other = call('npm publish ./a')
    const [last] = await waiting(1)
    const declined = await approve(last?.id ?? '', ['--always'], 'n\n')
    expect(declined.shown).toContain('nothing was changed, and the call still waits')
    expect(declined.shown).toMatch(/^\+ +"command": "npm publish \.\/a"/m)
    expect((await approve(last?.id ?? '', ['--always'], 'y\n')).exitCode).toBe(0)
    expect((await other).exitCode).toBe(0)
    expect(readFileSync(join(folder, 'home/.config/hookgate/hooks.json'), 'utf8')).toContain('"npm publish ./a"')
    // The gate looks at the file again after this time.
    await sleep(limits.rulesFreshMs)
    expect((await call('npm publish ./a')).exitCode).toBe(0)
  })
})

it('a call of which the list has a part only is shown whole before it is approved, and waits on if the person says no', async () => {
  const { call, waiting, env, cwd, cli } = await personWithGate()
  const calling = call(`npm publish .${'\n'.repeat(2)}deploy production`)
  const [request] = await waiting(1)
  expect((await cli(['approvals'])).stdout).toContain('`npm publish .` (and more)')
  const questions: string[] = []
  const ask = (question: string) => {
    questions.push(question)
    return Promise.resolve('n')
  }
  const answered = await hookgateHere(['approvals', 'approve', request?.id ?? ''], { env, cwd, ask })
  expect(answered).toMatchObject({ exitCode: 1, stdout: 'nothing was changed, and the call still waits\n' })
  expect(questions.join('')).toMatch(/npm publish \.\n\n? *\n? *deploy production\n[^]*let it run\? \[y\/N\] $/)
  expect(await waiting(1)).toHaveLength(1)
  await cli(['down'])
  expect((await calling).exitCode).toBe(2)
})

const clients = await clientsIn()
/** Programs that start a hook with an event, and read its answer, by a pair of sockets or by a pipe. */
const agents = {
  sockets: [
    process.execPath,
    '-e',
    'const hook = require("child_process").spawn(process.argv[1]); hook.stdin.end(process.argv[2]); hook.stdout.resume()',
  ],
  pipe: ['bash', '-c', 'read -r line < <(printf %s "$1" | "$0")'],
} as const

describe.each(clients.flatMap((client) => Object.keys(agents).map((by) => ({ client, by, kind: client.kind }))))(
  'a call that waits, by the $kind client and $by',
  ({ client, by, kind }) => {
    // Node cannot tell that nobody reads a pipe: it looks at the processes above, and not at all of them.
    it.skipIf(kind === 'node' && by === 'pipe')(
      'is taken from the list when its agent is killed, and whoever approves it is told so',
      async () => {
        const { folder, places, waiting, atTerminal, cli, cwd, env } = await personWithGate()
        const hook = join(folder, 'hook')
        const call = { ...callIn(), agent: 'codex', folder: dirname(places.key), socket: places.socket } as const
        writeFileSync(hook, hookScript(client, { ...call, version: version(), aliveMs: 10_000, answerMs: 60_000 }), {
          mode: 0o755,
        })
        const [program, ...words] = by === 'pipe' ? agents.pipe : agents.sockets
        const event = JSON.stringify(claudeShell('npm publish .', cwd, { turn_id: 't', model: 'm' }))
        const agent = spawn(program, [...words, hook, event], { stdio: 'ignore', env })
        const [request] = await waiting(1)
        agent.kill('SIGKILL')
        expect(await waiting(0)).toEqual([])
        const { exitCode, stderr } = await atTerminal('approve', request?.id ?? '')
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining('is over: the agent stopped waiting after')])
        await expect.poll(async () => (await cli(['log'])).stdout).toContain('npm publish .')
      },
    )
  },
)
