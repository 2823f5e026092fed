import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hookgateHere } from '../support/cli.ts'
import { tlsFile } from '../support/remote-server.ts'
import { rulesFile } from '../support/remote-rules.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const cert = ['--tls-cert', tlsFile('server.pem')]
const key = ['--tls-key', tlsFile('server.key')]
const ca = ['--client-ca', tlsFile('ca.pem')]
const token = ['--oidc-issuer', 'https://login.example.com', '--oidc-audience', 'hookgate']
const listen = ['--listen', '0.0.0.0:8443']

describe('hookgate serve refuses to listen for other machines', () => {
  it.each([
    ['without TLS', listen, '--tls-cert'],
    ['without TLS, though callers would prove themselves', [...listen, ...ca], '--tls-cert'],
    ['with a certificate that has no key', [...listen, ...cert, ...ca], '--tls-key'],
    ['with TLS, but for everybody', [...listen, ...cert, ...key], '--client-ca'],
    ['with an issuer, and any audience', [...listen, ...cert, ...key, ...token.slice(0, 2)], '--oidc-audience'],
    ['with an audience, and any issuer', [...listen, ...cert, ...key, ...token.slice(2)], '--oidc-issuer'],
    [
      'with an issuer that anybody on the way can be',
      [...listen, ...cert, ...key, '--oidc-issuer', 'http://a.example', ...token.slice(2)],
      'unencrypted',
    ],
    ['with a claim that has no value', [...listen, ...cert, ...key, ...token, '--oidc-claim', 'ref'], 'NAME=VALUE'],
    ['with only a claim', [...listen, ...cert, ...key, '--oidc-claim', 'ref=main'], '--oidc-issuer'],
    ['at a port alone', ['--listen', '8443', ...cert, ...key, ...ca], '0.0.0.0:8443'],
    ['at a name, which may be any address', ['--listen', 'gate.example:8443', ...cert, ...key, ...ca], '0.0.0.0:8443'],
    ['with proofs and nowhere to listen', ca, '--listen'],
    ['with a file that is not there', [...listen, '--tls-cert', '/nowhere.pem', ...key, ...ca], '/nowhere.pem'],
    [
      'with the key of another certificate',
      [...listen, ...cert, '--tls-key', tlsFile('client.key'), ...ca],
      'its own key',
    ],
    ['with an authority that is none', [...listen, ...cert, ...key, '--client-ca', tlsFile('make.sh')], 'PEM'],
  ])('%s', async (_, argv, remedy) => {
    const folder = folderWith()
    const env = { HOME: folder, HOOKGATE_HOME: join(folder, 'state') }
    const { stderr, exitCode } = await hookgateHere(['serve', ...argv], { env })
    expect(stderr).toContain(remedy)
    expect(exitCode).not.toBe(0)
  })
})

/** Sends one request with a client's certificate. */
function asked(port: number, path: string, body?: object): Promise<{ status: number; text: string }> {
  const files = { ca: tlsFile('ca.pem'), cert: tlsFile('client.pem'), key: tlsFile('client.key') }
  const proof = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, readFileSync(file)]))
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, agent: false, ...proof }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', reject)
    })
      .on('error', reject)
      .end(body && JSON.stringify(body))
  })
}

describe('a served gate that is asked to end', () => {
  it('says so to load balancers, answers open decisions, and exits with 0', async () => {
    const folder = folderWith()
    const slow = { type: 'command', command: 'sleep 1; echo done' }
    const rules = rulesFile({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [slow] }] } })
    const script = `
      const { serve } = await import(${JSON.stringify(new URL('../../src/service/server/serve.ts', import.meta.url).href)})
      const { placesOf } = await import(${JSON.stringify(new URL('../../src/files/state/places.ts', import.meta.url).href)})
      const places = placesOf({ env: process.env, platform: process.platform, uid: process.getuid(), home: process.env.HOME })
      const tls = { cert: ${JSON.stringify(tlsFile('server.pem'))}, key: ${JSON.stringify(tlsFile('server.key'))}, clientCa: ${JSON.stringify(tlsFile('ca.pem'))} }
      await serve({ places, version: '1', httpPort: undefined, idleMs: 60000, leaveMs: 3000,
        remote: { host: '127.0.0.1', port: 0, tls, oidc: undefined },
        gate: { rules: [${JSON.stringify(rules)}], discover: false },
        onOpen: ({ remoteUrl }) => console.log(remoteUrl) })
      process.exit(0)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      env: { PATH: process.env['PATH'], HOME: folder, HOOKGATE_HOME: join(folder, 'state') },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const url = await new Promise<string>((told) =>
      child.stdout.once('data', (text: Buffer) => told(text.toString().trim())),
    )
    const port = Number(new URL(url).port)
    const exited = new Promise((ended) => child.once('exit', (code, signal) => ended(code ?? signal)))
    expect((await asked(port, '/readyz')).status).toBe(200)
    const decision = asked(port, '/v1/decide', { event: claudeShell('ls', '/') })
    await new Promise((later) => setTimeout(later, 200))
    child.kill('SIGTERM')
    await new Promise((later) => setTimeout(later, 200))
    const ready = await asked(port, '/readyz')
    expect([ready.status, ready.text]).toEqual([503, '{"ready":false}\n'])
    expect((await asked(port, '/healthz')).status).toBe(200)
    expect(JSON.parse((await decision).text)).toMatchObject({ decision: 'abstain' })
    expect(await exited).toBe(0)
  })
})
