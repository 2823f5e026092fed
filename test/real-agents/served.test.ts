import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { canAdminister, withManaged } from './administrator.ts'
import { pins, programOf } from './pins.ts'
import { type World, worldOf } from './world.ts'

const agent = 'claude-code'
/** The only address from which the program takes settings of an organization. */
const host = 'api.anthropic.com'

/** What an organization has settled, and what somebody does against it. */
interface Case {
  /** Whether the machine has the file that `enable --managed` writes. */
  readonly file: boolean
  /** What the server delivers: `none`: it has none, `away`: it fails. `hooks`: what is registered, with these keys. */
  readonly serves: 'none' | 'away' | object
  readonly hooks?: boolean
  readonly inFile?: object
  readonly user?: object
  /** The copy from an earlier session. */
  readonly copy?: 'hooks' | object
  readonly isGone?: boolean
}
type Outcome = 'refused' | 'runs' | 'does not start'
/** The class is what `status --managed` says afterwards: it reads the copy that the session has left. */
type Row = readonly [title: string, given: Case, outcome: Outcome, named: string]

const others = { permissions: { deny: ['Read(x)'] } }
const merge = { managedSourcesBehavior: 'merge' }
/** With it, nothing is asked of the server of settings. */
const otherAddress = { env: { ANTHROPIC_BASE_URL: 'MODEL' } }

const rows: readonly Row[] = [
  ['nothing is delivered, and the file is there', { file: true, serves: 'none' }, 'refused', 'enforced'],
  ['nothing is delivered, and there is no file', { file: false, serves: 'none' }, 'runs', 'enforced'],
  ['an empty object is delivered', { file: true, serves: {} }, 'refused', 'enforced'],
  ['other settings are delivered', { file: true, serves: others }, 'runs', 'replaced'],
  ['they are merged, as they say', { file: true, serves: { ...others, ...merge } }, 'refused', 'enforced'],
  ['they are merged, as only the file says', { file: true, serves: others, inFile: merge }, 'runs', 'replaced'],
  [
    'the user names another address of the model',
    { file: true, serves: others, user: otherAddress },
    'refused',
    'enforced',
  ],
  [
    'other settings came earlier, and the server fails',
    { file: true, serves: 'away', copy: others },
    'runs',
    'replaced',
  ],
  [
    'the delivered settings switch hooks off',
    { file: true, serves: { ...merge, disableAllHooks: true } },
    'runs',
    'enforced',
  ],
  ['the hooks are delivered, and there is no file', { file: false, serves: {}, hooks: true }, 'refused', 'enforced'],
  [
    'the hooks are delivered, and hookgate is gone',
    { file: false, serves: {}, hooks: true, isGone: true },
    'refused',
    'enforced',
  ],
  [
    'the hooks are delivered, and the user switches hooks off',
    { file: false, serves: {}, hooks: true, user: { disableAllHooks: true } },
    'refused',
    'enforced',
  ],
  [
    'the hooks are delivered, and the user names another address of the model',
    { file: false, serves: {}, hooks: true, user: otherAddress },
    'runs',
    'enforced',
  ],
  [
    'the hooks came earlier, and the server fails',
    { file: false, serves: 'away', copy: 'hooks' },
    'refused',
    'advisory',
  ],
  ['the hooks are delivered, and the file is there', { file: true, serves: {}, hooks: true }, 'refused', 'enforced'],
  ['the server fails at the first start, and the file is there', { file: true, serves: 'away' }, 'refused', 'enforced'],
  ['the server fails, and nothing came earlier', { file: false, serves: 'away' }, 'runs', 'enforced'],
  [
    'the server fails, and the file demands it',
    { file: true, serves: 'away', inFile: { forceRemoteSettingsRefresh: true } },
    'does not start',
    'enforced',
  ],
]

const Printed = z.array(z.looseObject({ file: z.string(), text: z.string() }))
const Settings = z.record(z.string(), z.json())
const Report = z.looseObject({ agents: z.tuple([z.looseObject({ class: z.string() })]) })

describe.runIf(canAdminister && programOf(agent) !== undefined)(
  `settings that an organization serves to ${agent} ${pins[agent].version}`,
  () => {
    let world: World
    let server: Server
    const folder = mkdtempSync(join(tmpdir(), 'hookgate-served-'))
    const at = (name: string) => join(folder, name)
    let answered: { readonly status: number; readonly body: string } = { status: 404, body: '' }
    beforeAll(async () => {
      world = await worldOf(agent, [])
      // Nothing is left but what an administrator registers.
      await world.cli(['disable', agent])
      makeCertificate(at('key.pem'), at('cert.pem'))
      const files = { key: readFileSync(at('key.pem')), cert: readFileSync(at('cert.pem')) }
      server = createServer(files, (asked, answer) => {
        if (asked.url?.startsWith('/api/claude_code/settings') === true) {
          // Without this header, an answer counts as one of a proxy on the way.
          answer.writeHead(answered.status, { 'content-type': 'application/json', 'request-id': 'req_test' })
          answer.end(answered.body)
          return
        }
        const { method, headers } = asked
        const onward = request(`${world.origin}${asked.url}`, { method, headers: { ...headers, host: 'localhost' } })
        onward.on('response', (from) => from.pipe(answer.writeHead(from.statusCode ?? 500, from.headers)))
        onward.on('error', () => answer.writeHead(502).end())
        asked.pipe(onward)
      })
      await new Promise<void>((listens) => server.listen(443, '127.0.0.1', listens))
    })
    afterAll(async () => {
      server.closeAllConnections()
      server.close()
      await world.close()
      rmSync(folder, { recursive: true })
    })

    it.each(rows)('where %s', async (_, given, outcome, named) => {
      const { file, serves, hooks = false, inFile = {}, user = {}, copy, isGone = false } = given
      const printedBy = async (...flags: readonly string[]) => {
        const { stdout } = await world.cli(['enable', '--managed', agent, '--print', '--json', ...flags])
        return Printed.parse(JSON.parse(stdout)).map((one) => ({
          file: one.file,
          text: isGone ? one.text.replaceAll('/dist/cli/bin.js', '/dist/cli/gone.js') : one.text,
        }))
      }
      const printed = await printedBy()
      const registered = (await printedBy('--served'))[0]?.text ?? ''
      const own = Settings.parse(JSON.parse(registered))
      const settings = { ...(typeof serves === 'object' && serves), ...(hooks && own) }
      const body = JSON.stringify({ uuid: 'u', checksum: `${Math.random()}`, settings })
      answered =
        serves === 'none'
          ? { status: 404, body: '' }
          : serves === 'away'
            ? { status: 500, body: '' }
            : { status: 200, body }
      const inHome = (name: string) => join(world.home, '.claude', name)
      mkdirSync(inHome('.'), { recursive: true })
      rmSync(inHome('remote-settings.json'), { force: true })
      if (copy !== undefined)
        writeFileSync(inHome('remote-settings.json'), copy === 'hooks' ? registered : JSON.stringify(copy))
      writeFileSync(inHome('settings.json'), JSON.stringify(user).replace('MODEL', world.origin))
      const files = printed
        .filter(() => file)
        .map((one): [string, string | { script: string }] => [
          one.file.replace('/etc/', ''),
          one.file.endsWith('.json') ? JSON.stringify({ ...own, ...inFile }) : { script: one.text },
        ])
      const hosts = `${readFileSync('/etc/hosts', 'utf8')}\n127.0.0.1 ${host}\n`
      await withManaged({ hosts, ...Object.fromEntries(files) }, async () => {
        const script = () => ({ main: [{ calls: [world.launch.shell('touch refused')] }] })
        const ran = await world.run(script, {}, { env: environment(at('cert.pem')) })
        const starts = ran.asked.length > 0 || !ran.said.includes('requires remote managed settings')
        const became = ran.made('refused') ? 'runs' : starts ? 'refused' : 'does not start'
        expect({ became, said: ran.said }).toEqual({ became: outcome, said: ran.said })
        const status = await world.cli(['status', '--managed', agent, '--json'])
        expect(Report.parse(JSON.parse(status.stdout)).agents[0].class).toBe(named)
      })
    })
  },
)

/** The program speaks to what it takes for the real server, by no proxy. */
const environment = (certificate: string) => ({
  ANTHROPIC_BASE_URL: `https://${host}`,
  NODE_EXTRA_CA_CERTS: certificate,
  ...Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, ''])),
})

function makeCertificate(key: string, certificate: string): void {
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const made = spawnSync('openssl', [...words, ...names, '-keyout', key, '-out', certificate], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
}
