import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { bundlesFolder, writePollState } from '../../src/bundle/machine/poll-state.ts'
import { hookgateHere } from '../support/cli.ts'
import { startCollector } from '../support/collector.ts'
import { exported, recordOf } from '../support/exported.ts'
import { heartbeatLine } from '../support/heartbeats.ts'
import { folderWith } from '../support/workspace.ts'

const minute = 60_000
const ago = (ms: number) => Date.now() - ms

/** Runs the command on files of these texts. */
async function machinesOf(texts: readonly string[], ...flags: readonly string[]) {
  const folder = folderWith(Object.fromEntries(texts.map((text, at) => [`${at} agents.json`, text])))
  return hookgateHere(['machines', ...texts.map((_, at) => join(folder, `${at} agents.json`)), ...flags])
}

interface Listed {
  readonly machines: readonly {
    readonly host: string
    readonly problems: readonly string[]
    readonly lastSeen: string | null
    readonly version: string
  }[]
  readonly left_out: number
  readonly unreadable: readonly string[]
}
async function listed(texts: readonly string[], ...flags: readonly string[]): Promise<Listed> {
  return JSON.parse((await machinesOf(texts, ...flags, '--json')).stdout) as Listed
}

describe('hookgate machines', () => {
  it('reads what the exporter sends through a collector: versions, agents, signed rules and what is wrong', async () => {
    const collector = await startCollector()
    const record = exported()
    const bundles = bundlesFolder(record.folder)
    mkdirSync(bundles, { mode: 0o700 })
    const release = { name: 'acme', revision: '12', mode: 'observe', isNewest: true } as const
    const state = { channel: 'laptops', freshness: 'stale', freshUntilMs: 1, switched: [], release } as const
    writePollState(bundles, state, { problem: 'it answered 503', notes: [] }, Date.now())
    await record.write(recordOf('a', { agent: 'codex' }))
    record.use({ otlp: { url: collector.url, metrics: false }, from: 'start' })
    await record.isRunning()
    record.beat({
      at: new Date().toISOString(),
      node: 'v24.15.0',
      startedAt: new Date().toISOString(),
      rules: { kind: 'loaded', count: 9, digest: 'd', selfProtection: false },
      waiting: 0,
      agents: {
        kind: 'seen',
        all: [
          { agent: 'claude-code', proof: 'proved' },
          { agent: 'cline', proof: 'broken' },
          { agent: 'codex', proof: 'absent' },
        ],
      },
    })
    await vi.waitFor(() => expect([collector.heartbeats().length, collector.logs().length]).toEqual([1, 1]), {
      timeout: 120_000,
      interval: 20,
    })
    // Decisions and heartbeats, a request a line.
    const text = collector.requests.map((one) => `${one.text.trim()}\n`).join('')
    const shown = await machinesOf([text])
    expect(shown).toMatchObject({ stderr: '', exitCode: 1 })
    const wanted = [
      /^machine +last seen +hookgate +signed rules +agents that ask$/m,
      / acme 12, observe +Claude Code$/m,
      /^ {4}the signed rules of channel laptops are old: it answered 503$/m,
      /^ {4}registered, and does not ask: Cline; asked before, and is registered no more: Codex$/m,
      /^ {4}self-protection is off: an agent there may change hookgate$/m,
      /^1 machine; 1 with old signed rules, 1 with an agent that does not ask, 1 without self-protection$/m,
    ]
    expect(wanted.filter((pattern) => !pattern.test(shown.stdout))).toEqual([])
    const [one] = (await listed([text])).machines
    expect(one?.problems).toEqual(['stale', 'agents', 'self-protection'])
    expect(Date.parse(one?.lastSeen ?? '')).toBeGreaterThan(ago(60 * minute))
  })

  it.each<readonly [what: string, line: string, problems: readonly string[]]>([
    ['that is well', heartbeatLine('a', ago(minute)), []],
    ['that misses one heartbeat', heartbeatLine('a', ago(9 * minute)), []],
    ['that misses three', heartbeatLine('a', ago(16 * minute)), ['silent']],
    ['whose interval is longer', heartbeatLine('a', ago(16 * minute), { 'hookgate.heartbeat.interval': 900 }), []],
    ['whose gate said that it ends', heartbeatLine('a', ago(600 * minute), { 'hookgate.stopping': 'nobody asks' }), []],
    ['whose clock is ahead', heartbeatLine('a', ago(-10 * minute)), ['clock']],
    ['whose clock differs by seconds', heartbeatLine('a', ago(-minute)), []],
    ['without rules', heartbeatLine('a', ago(0), { 'hookgate.rules.digest': undefined }), ['rules']],
    ['with fresh signed rules', heartbeatLine('a', ago(0), { 'hookgate.bundle.freshness': 'fresh' }), []],
    ['with stale ones', heartbeatLine('a', ago(0), { 'hookgate.bundle.freshness': 'stale' }), ['stale']],
    ['with none that came', heartbeatLine('a', ago(0), { 'hookgate.bundle.freshness': 'missing' }), ['stale']],
    ['with an agent of a repository', heartbeatLine('a', ago(0), { 'hookgate.agents.unproved': ['cline'] }), []],
    ['with a broken agent', heartbeatLine('a', ago(0), { 'hookgate.agents.broken': ['cline'] }), ['agents']],
    ['with a removed agent', heartbeatLine('a', ago(0), { 'hookgate.agents.absent': ['cline'] }), ['agents']],
    ['that does not know its agents', heartbeatLine('a', ago(0), { 'hookgate.agents.problem': 'no' }), ['agents']],
    ['without self-protection', heartbeatLine('a', ago(0), { 'hookgate.self_protection': false }), ['self-protection']],
    ['behind an old collector, which keeps no event name', heartbeatLine('a', ago(16 * minute), {}, {}), ['silent']],
  ])('says of a machine %s what is wrong, and ends with 1 if anything is', async (_what, line, problems) => {
    expect((await listed([line])).machines).toMatchObject([{ host: 'a', problems }])
    const { stdout, exitCode } = await machinesOf([line])
    expect(exitCode).toBe(problems.length === 0 ? 0 : 1)
    expect(stdout.includes('nothing is wrong')).toBe(problems.length === 0)
  })

  it('takes the newest heartbeat of each machine and account, whatever the order and the file', async () => {
    const beat = (ms: number, version: string, host = 'a', user = 'ada') =>
      heartbeatLine(host, ago(ms), { 'service.version': version, 'user.name': user, 'service.instance.id': user })
    const old = [beat(3 * minute, '0.2.0'), beat(8 * minute, '0.1.0'), beat(2 * minute, '0.2.0', 'a', 'bob')].join('')
    const { machines } = await listed([old, beat(minute, '0.3.0') + beat(0, '0.1.0', 'copy of a')])
    expect(machines.map(({ host, version }) => [host, version])).toEqual([
      ['a', '0.3.0'],
      ['a', '0.2.0'],
      ['copy of a', '0.1.0'],
    ])
  })

  it('believes a clock that was ahead once it is right', async () => {
    const ahead = heartbeatLine('a', ago(-90 * minute))
    const right = heartbeatLine('a', ago(minute))
    expect((await listed([ahead + right])).machines).toMatchObject([{ problems: [] }])
    expect((await listed([right + ahead])).machines).toMatchObject([{ problems: ['clock'], lastSeen: null }])
    const { stdout } = await machinesOf([ahead])
    expect(stdout).toMatch(/its clock is (?:89|90) min ahead of this one/)
  })

  it('counts as silent, and leaves out, whom the flags say', async () => {
    const text = heartbeatLine('a', ago(30 * minute)) + heartbeatLine('b', ago(40 * 24 * 60 * minute))
    expect(await listed([text])).toMatchObject({ machines: [{ host: 'a', problems: ['silent'] }], left_out: 1 })
    expect(await listed([text], '--silent-since', '1h')).toMatchObject({ machines: [{ problems: [] }] })
    expect((await listed([text], '--since', '9w')).machines.map(({ host }) => host)).toEqual(['a', 'b'])
    expect((await machinesOf([text], '--silent-since', 'soon')).stderr).toContain('--silent-since must be how long ago')
  })

  it('passes over records of others, and names lines that it cannot read', async () => {
    const beat = heartbeatLine('a', ago(0))
    const foreign = [
      beat.replaceAll('"hookgate"', '"checkout"'),
      '{"resourceMetrics":[{"resource":{}}]}\n',
      '{"resourceLogs":[{"scopeLogs":"none"},{"resource":null},7]}\n',
      '\n',
      '{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"hookgate"}}]}}]}\n',
    ].join('')
    expect(await listed([foreign + beat])).toMatchObject({ machines: [{ host: 'a' }], unreadable: [] })
    const broken = [
      'oops\n',
      '[1]\n',
      beat.replace('"300"', '"often"'),
      beat.replace('"host.name"', '"host"'),
      beat.replace(/"timeUnixNano":"\d+"/, '"timeUnixNano":"9e99"'),
      beat.slice(0, -40),
    ]
    const { machines, unreadable } = await listed([beat + broken.join('')])
    expect(machines).toMatchObject([{ host: 'a' }])
    expect(unreadable.map((line) => /agents\.json:(.*)$/.exec(line)?.[1] ?? line)).toEqual([
      '2: the line is not JSON',
      '3: the line is not a JSON object',
      '4: 1 heartbeat without what each has',
      '5: 1 heartbeat without what each has',
      '6: 1 heartbeat without what each has',
      '1 more line cannot be read',
    ])
    expect((await machinesOf([beat + broken.join('')])).stderr).toContain(':2: the line is not JSON\n')
  })

  it('counts the signed rules of the machines that follow a channel', async () => {
    const plain = heartbeatLine('a', ago(0))
    expect((await machinesOf([plain])).stdout).toMatch(/\nhookgate \S+ on 1\n$/)
    const following = heartbeatLine('b', ago(0), {
      'hookgate.bundle.freshness': 'fresh',
      'hookgate.bundle.channel': 'laptops',
      'hookgate.bundle.name': 'acme',
      'hookgate.bundle.revision': '12',
    })
    expect((await machinesOf([plain + following])).stdout).toMatch(/\nhookgate \S+ on 2; signed rules acme 12 on 1\n$/)
  })

  it('takes the files that are there, and says of those that are not why', async () => {
    const folder = folderWith({ 'a.json': heartbeatLine('a', ago(0)) })
    const files = [join(folder, 'a.json'), join(folder, 'gone.json'), folder]
    const { stdout, stderr, exitCode } = await hookgateHere(['machines', ...files])
    expect([stdout.includes('1 machine; nothing is wrong'), exitCode]).toEqual([true, 1])
    expect(stderr.split('\n')).toHaveLength(3)
  })

  it('reads stdin', async () => {
    const { stdout } = await hookgateHere(['machines', '-'], { stdin: heartbeatLine('from-stdin', ago(0)) })
    expect(stdout).toMatch(/^from-stdin /m)
  })

  it.each([
    ['nothing', '', 'there is no heartbeat of hookgate'],
    ['others only', '{"resourceLogs":[]}\n', 'among 1 other line'],
    ['no JSON', 'PK\u0003\u0004', 'the line is cut off'],
    ['decisions of `export.file`', `${JSON.stringify(recordOf('a'))}\n`, 'these are decisions'],
  ])('refuses a file with %s, and says what to name', async (_what, text, message) => {
    const { stderr, exitCode, stdout } = await machinesOf([text])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(message)
  })

  it('asks for a file', async () => {
    expect((await hookgateHere(['machines'])).stderr).toContain('machines needs a file of a collector')
  })

  it('prints what others have written as text', async () => {
    const evil = 'a\u001b]0;x\u0007\nb (ada)  2099-01-01'
    const { stdout } = await machinesOf([
      heartbeatLine(evil, ago(0), {
        'user.name': evil,
        'service.version': evil,
        'hookgate.agents.proved': [evil],
        'hookgate.agents.broken': [evil],
        'hookgate.rules.digest': undefined,
        'hookgate.rules.problem': evil,
        'hookgate.bundle.freshness': 'stale',
        'hookgate.bundle.channel': evil,
        'hookgate.bundle.name': evil,
        'hookgate.bundle.problem': evil,
      }),
    ])
    // oxlint-disable-next-line no-control-regex -- these must not be there
    expect(/[\u0000-\u0009\u000b-\u001f]/.test(stdout)).toBe(false)
    expect(stdout.split('\n').filter((line) => line.startsWith('b '))).toEqual([])
    expect(stdout).toContain(String.raw`\x1b`)
  })
})
