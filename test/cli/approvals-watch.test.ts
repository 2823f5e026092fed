import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { emptyScreen, pressKey, type Screen, screenText, withRequests } from '../../src/cli/commands/approvals/watch.ts'
import { keysFrom } from '../../src/cli/command.ts'
import { entryFile } from '../../src/files/program-files.ts'
import { topicsOf } from '../../src/files/state/keys.ts'
import type { OpenRequest } from '../../src/model/approval.ts'
import { askGate } from '../../src/service/server/ask-gate.ts'
import { answerRequest, openRequests } from '../../src/service/server/ask-approvals.ts'
import { hookgateHere } from '../support/cli.ts'
import { hasTerminals, startInTerminal } from '../support/terminal.ts'
import { residentUser } from '../support/resident.ts'
import { claudeShell } from '../support/wire.ts'

const request = (id: string): OpenRequest => ({
  id,
  call: `call-${id}`,
  agent: 'codex',
  session: 's',
  project: '/p',
  event: 'PreToolUse',
  toolName: 'Bash',
  subject: `npm publish ${id}`,
  commands: [`npm publish ${id}`],
  decision: 'ask',
  rules: [],
  openedAtMs: 0,
  endsAtMs: 60_000,
  waiting: 1,
})

const screenOf = (ids: string, chosen?: string): Screen => ({
  requests: ids.split('').map(request),
  chosen,
  last: '',
})

describe('a key before the screen of waiting calls', () => {
  it.each([
    ['down', 'abc', 'a', 'b'],
    ['j', 'abc', 'b', 'c'],
    ['down', 'abc', 'c', 'c'],
    ['up', 'abc', 'b', 'a'],
    ['k', 'abc', 'a', 'a'],
    ['down', 'abc', undefined, 'a'],
    ['up', 'abc', undefined, 'c'],
    ['down', '', undefined, undefined],
    ['x', 'abc', 'b', 'b'],
    [undefined, 'abc', 'b', 'b'],
    ['a', 'abc', undefined, undefined],
    ['d', '', undefined, undefined],
    // One that has ended is answered no more.
    ['a', 'bc', 'a', 'a'],
  ] as const)('%s, of %s with %s chosen, leaves %s chosen and answers nothing', (key, ids, chosen, next) => {
    expect(pressKey(screenOf(ids, chosen), key)).toMatchObject({ kind: 'show', screen: { chosen: next } })
  })

  it.each([
    ['a', 'approve'],
    ['d', 'deny'],
  ] as const)('%s answers the chosen call and no other: %s', (key, answer) => {
    expect(pressKey(screenOf('abc', 'b'), key)).toMatchObject({ kind: 'answer', request: { id: 'b' }, answer })
  })

  it.each(['q', 'ctrl-c', 'ctrl-d'])('%s ends it', (key) => {
    expect(pressKey(screenOf('abc', 'b'), key)).toEqual({ kind: 'end' })
  })
})

describe('the screen of waiting calls', () => {
  it('chooses the first call that comes, and keeps the choice at its call', () => {
    const first = withRequests(emptyScreen, [request('b')])
    expect(first.chosen).toBe('b')
    expect(withRequests(first, [request('a'), request('b')]).chosen).toBe('b')
  })

  it('chooses none once the chosen call has ended: the next key must not answer another', () => {
    const ended = withRequests(screenOf('ab', 'a'), [request('b'), request('c')])
    expect(ended.chosen).toBeUndefined()
    expect(pressKey(ended, 'a').kind).toBe('show')
    expect(withRequests(screenOf('a', 'a'), [request('b')]).chosen).toBeUndefined()
  })

  it('says how many wait, shows the chosen one in full, and lets no text of an agent reach the terminal as it is', () => {
    const hostile = { ...request('a'), subject: 'echo \u001b[2J\u0007', commands: ['echo \u001b[2J'] }
    const text = screenText({ requests: [hostile, request('b')], chosen: 'a', last: 'b \u001b[31mwas refused' }, 0)
    expect(text).toContain('2 calls wait for a person')
    expect(text).toContain('echo \\x1b[2J')
    // What the screen itself needs: it is cleared, and the chosen line is inverse on a terminal that can show it.
    const own = ['\u001b[H', '\u001b[2J', '\u001b[7m', '\u001b[27m']
    const rest = own.reduce(
      (left, code, index) => (index < 2 ? left.replace(code, '') : left.replaceAll(code, '')),
      text,
    )
    expect([rest.includes('\u001b'), rest.includes('\u0007')]).toEqual([false, false])
    expect(screenText(withRequests(emptyScreen, []), 0)).toContain('no call waits for a person')
    expect(screenText(emptyScreen, 0)).toContain('no gate runs')
  })
})

describe('keys', () => {
  it('come one by one as they are pressed, also those that are several bytes, until the terminal is given back', async () => {
    const modes: boolean[] = []
    const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) })
    const keys = keysFrom(input)
    input.write('a\u001b[A\u001b[Bq')
    input.write('\u0003\r')
    const pressedKeys: (string | undefined)[] = []
    for (let number = 0; number < 6; number++) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      pressedKeys.push(await keys.next(60_000))
    }
    expect(pressedKeys).toEqual(['a', 'up', 'down', 'q', 'ctrl-c', 'return'])
    expect(await keys.next(1)).toBeUndefined()
    const waiting = keys.next(60_000)
    input.write('d')
    expect(await waiting).toBe('d')
    keys.close()
    input.write('a')
    expect(await keys.next(1)).toBeUndefined()
    expect(modes).toEqual([true, false])
  })
})

it('a person at a terminal refuses two calls by keys, one with a reason, and learns the topic for the phone', async () => {
  const rules = { json: { permissions: { ask: ['Bash(npm publish *)'] }, approvals: true } }
  const user = residentUser({ 'home/.config/hookgate/hooks.json': rules, 'project/x': '' })
  await user.cli(['up'])
  const { places, env, folder } = user
  const cwd = `${folder}/project`
  const call = async (command: string, id: string) => {
    const wire = claudeShell(command, cwd, { turn_id: 't', model: 'm', tool_use_id: id })
    const body = JSON.stringify(wire)
    const reply = await askGate(places, { to: 'hook', agent: 'codex', body, timeoutMs: 60_000 })
    return { exitCode: reply.exitCode, output: reply.stdout + reply.stderr }
  }
  const waiting = async (number: number): Promise<void> => {
    if (((await openRequests(places)) ?? []).length === number) return
    await sleep(20)
    await waiting(number)
  }
  const first = call('npm publish ./a', '1')
  await waiting(1)
  const second = call('npm publish ./b', '2')
  await waiting(2)
  const input = new PassThrough()
  const questions: string[] = []
  input.write('\u001b[Bd')
  const watching = hookgateHere(['approvals', 'watch'], {
    env,
    cwd,
    openKeys: () => keysFrom(input),
    ask: (question) => {
      questions.push(question)
      // The other call is to be chosen again before it can be answered: the first `d` does nothing.
      input.write(questions.length === 1 ? 'dkd' : 'q')
      return Promise.resolve(questions.length === 1 ? 'only from the main folder' : '')
    },
  })
  const { stdout, exitCode } = await watching
  expect(exitCode).toBe(0)
  expect(questions).toHaveLength(2)
  expect(questions[0]).toContain('the model reads it')
  expect((await first).exitCode).toBe(2)
  const refused = await second
  expect(refused.exitCode).toBe(2)
  expect(refused.output).toContain('in a terminal: only from the main folder')
  expect(stdout).toContain('2 calls wait for a person')
  expect(stdout).toContain('npm publish ./b')
  expect(stdout).toContain(' was refused after ')

  const asPerson = { env, cwd, ask: () => Promise.resolve('') }
  // One that is answered elsewhere while it is shown is said to be over.
  const third = call('npm publish ./c', '3')
  await waiting(1)
  const [{ id, call: exact } = { id: '', call: '' }] = (await openRequests(places)) ?? []
  let looks = 0
  const seen = await hookgateHere(['approvals', 'watch'], {
    ...asPerson,
    openKeys: () => ({
      async next() {
        looks += 1
        if (looks > 1) return 'q'
        await answerRequest(places, { id, call: exact, answer: 'deny', channel: 'page', by: 'bob' })
        return undefined
      },
      close: () => undefined,
    }),
  })
  expect(seen.stdout).toMatch(
    new RegExp(
      `^${id} is over: refused by bob on the page after \\d+ s; \`hookgate allow ${id}\` lets the call through`,
      'm',
    ),
  )
  expect((await third).exitCode).toBe(2)
  const phone = (key: string) => {
    const typed = new PassThrough()
    typed.write(key)
    return hookgateHere(['approvals', 'phone'], { ...asPerson, openKeys: () => keysFrom(typed) })
  }
  const { stdout: topic } = await phone('q')
  // A key takes it off the screen: tmux, for one, keeps what a terminal shows, and an agent can read that.
  expect(topic).toContain(`${topicsOf(places).toPerson}\r\u001b[2K`)
  expect((await phone('x')).stdout).toBe(topic)
  // The channel back is not for anybody's eyes, and without a terminal nobody can tell that a person asks.
  expect(topic).not.toContain(topicsOf(places).fromPerson)
  expect(await hookgateHere(['approvals', 'phone'], { env, cwd })).toMatchObject({ exitCode: 1, stdout: '' })
})

it.runIf(hasTerminals)(
  'a real terminal shows a call that comes, takes single keys, approves none that it does not show whole, and is given back as it was',
  async () => {
    const rules = { json: { permissions: { ask: ['Bash(npm publish *)'] }, approvals: true } }
    const user = residentUser({ 'home/.config/hookgate/hooks.json': rules, 'project/x': '' })
    await user.cli(['up'])
    const { places, env, folder } = user
    const line = `stty rows 24 columns 80; '${process.execPath}' '${entryFile('cli/bin')}' approvals watch; echo "ended with $?"; stty -a`
    const terminal = startInTerminal(line, { env, cwd: folder })
    let shown = ''
    terminal.stdout.on('data', (text: string) => (shown += text))
    await expect.poll(() => shown, { timeout: 120_000 }).toContain('no call waits for a person')
    const wire = claudeShell('npm publish .', `${folder}/project`, { turn_id: 't', model: 'm' })
    const calling = askGate(places, { to: 'hook', agent: 'codex', body: JSON.stringify(wire), timeoutMs: 60_000 })
    await expect.poll(() => shown, { timeout: 120_000 }).toContain('1 call waits for a person')
    terminal.keys.write('a')
    expect((await calling).exitCode).toBe(0)
    await expect.poll(() => shown, { timeout: 120_000 }).toMatch(/\w{6} was approved after \d+ s/)
    // What has left the screen at its top may be what is asked about: the key approves nothing.
    const long = claudeShell(`npm publish ./${'x'.repeat(24 * 80)}`, `${folder}/project`, { turn_id: 't', model: 'm' })
    const longCall = askGate(places, { to: 'hook', agent: 'codex', body: JSON.stringify(long), timeoutMs: 60_000 })
    shown = ''
    await expect.poll(() => shown, { timeout: 120_000 }).toContain('1 call waits for a person')
    terminal.keys.write('a')
    await expect.poll(() => shown, { timeout: 120_000 }).toMatch(/\w{6} is longer than this screen/)
    expect(await openRequests(places)).toHaveLength(1)
    terminal.keys.write('d')
    await expect.poll(() => shown, { timeout: 120_000 }).toContain('the model reads it')
    terminal.keys.write('\r')
    expect((await longCall).exitCode).toBe(2)
    terminal.keys.write('q')
    await once(terminal.stdout, 'close')
    expect(shown).toContain('ended with 0')
    expect(shown).toMatch(/[ ;]icanon\b[^]*[ ;]echo\b/)
  },
)
